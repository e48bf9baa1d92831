internal import CRealtime
internal import Realtime
internal import Synchronization

/// The newest output of a few nodes, which the audio thread writes and the control side reads, such
/// as for a spectrum.
///
/// Each buffer is a circle that is twice as long as the longest part that is read. A reader that is
/// so slow that the audio thread overtakes it notices this.
struct TapBuffers: ~Copyable {
    /// The number of nodes.
    static var count: Int { @_noLocks get { 4 } }
    /// The largest number of frames that can be read.
    static let readableFrames = 8192
    /// The length of a circle, a power of two.
    private static var frames: Int { @_noLocks get { 16_384 } }

    private let samples: UnsafeMutablePointer<Float>
    /// The number of frames written into each circle.
    private let written = InlineArray<4, Atomic<Int>> { _ in Atomic(0) }

    init(arena: Arena) { samples = arena.samples(Self.count * Self.frames) }

    /// Adds frames of a node; on the audio thread.
    @_noLocks
    func write(_ slot: Int, _ new: UnsafePointer<Float>, _ count: Int) {
        let circle = samples + slot * Self.frames
        let position = written[slot].load(ordering: .relaxed)
        let start = position & (Self.frames - 1)
        let first = min(count, Self.frames - start)
        rt_copy(circle + start, new, Int64(first))
        rt_copy(circle, new + first, Int64(count - first))
        written[slot].store(position &+ count, ordering: .releasing)
    }

    /// Copies the newest frames of a node; on the control side.
    ///
    /// - Returns: Whether the frames were complete.
    func read(_ slot: Int, into result: inout [Float]) -> Bool {
        let circle = samples + slot * Self.frames
        let end = written[slot].load(ordering: .acquiring)
        let start = end - result.count
        guard start >= 0 else { return false }
        for index in result.indices {
            result[index] = circle[(start + index) & (Self.frames - 1)]
        }
        return written[slot].load(ordering: .acquiring) - start <= Self.frames
    }
}
