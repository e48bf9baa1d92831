/// The memory of a path that is held back; it goes from schedule to schedule while the path stays.
final class AlignmentLine {
    /// What the audio thread has of it; wired anew by each schedule.
    let step: UnsafeMutablePointer<DelayStep>
    private let arena = Arena()

    /// A path that was silent.
    init(frames: Int, maximumBlockFrames: Int) {
        let room = arena.samples(1)
        step = arena.allocate(
            1,
            DelayStep(
                delay: FrameDelay(
                    frames: frames, maximumBlockFrames: maximumBlockFrames, arena: arena),
                from: UnsafePointer(room), into: room))
    }

    /// Which path it is.
    struct Path: Hashable {
        var source: Source
        var channel: Int
        var frames: Int

        /// Where a path begins.
        enum Source: Hashable {
            case input(String)
            case node(ObjectIdentifier)
        }
    }
}
