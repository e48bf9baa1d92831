/// The memory of a delayed path, which is passed from schedule to schedule while the path exists.
final class AlignmentLine {
    /// The part that the audio thread uses; each schedule wires it again.
    let step: UnsafeMutablePointer<DelayStep>
    private let arena = Arena()

    /// Creates the memory of a path, filled with silence.
    init(frames: Int, maximumBlockFrames: Int) {
        let room = arena.samples(1)
        step = arena.allocate(
            1,
            DelayStep(
                delay: FrameDelay(
                    frames: frames, maximumBlockFrames: maximumBlockFrames, arena: arena),
                from: UnsafePointer(room), into: room))
    }

    /// The identity of a path.
    struct Path: Hashable {
        var source: Source
        var channel: Int
        var frames: Int

        /// The start of a path.
        enum Source: Hashable {
            case input(String)
            case node(ObjectIdentifier)
        }
    }
}
