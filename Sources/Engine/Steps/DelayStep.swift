internal import CRealtime

/// Delays a channel by whole frames.
struct FrameDelay: BitwiseCopyable {
    private let line: UnsafeMutablePointer<Float>
    private let mask: Int
    private(set) var delayFrames: Int
    private let mostFrames: Int
    private var written = 0

    /// A delay of at least 0 frames, for calls that move at most `maximumBlockFrames`.
    ///
    /// - Parameters:
    ///   - frames: How long it is.
    ///   - mostFrames: How long it may become; what is asked for beyond is this.
    ///   - maximumBlockFrames: The most that a call moves.
    ///   - arena: Where its memory is.
    init(frames: Int, mostFrames: Int = 0, maximumBlockFrames: Int, arena: Arena) {
        self.mostFrames = max(frames, mostFrames)
        var size = 1
        while size < self.mostFrames + maximumBlockFrames { size *= 2 }
        line = arena.samples(size)
        mask = size - 1
        delayFrames = frames
    }

    /// Becomes another one from the next `read` on.
    @_noLocks
    mutating func setDelay(_ frames: Int) { delayFrames = min(max(0, frames), mostFrames) }

    /// Takes a block in.
    @_noLocks
    mutating func write(_ from: UnsafePointer<Float>, _ frames: Int) {
        let start = written & mask
        let head = min(frames, mask + 1 - start)
        rt_copy(line + start, from, Int64(head))
        rt_copy(line, from + head, Int64(frames - head))
        written &+= frames
    }

    /// Gives the block that belongs to the one written last.
    @_noLocks
    func read(_ into: UnsafeMutablePointer<Float>, _ frames: Int) {
        let start = (written &- frames &- delayFrames) & mask
        let head = min(frames, mask + 1 - start)
        rt_copy(into, line + start, Int64(head))
        rt_copy(into + head, line, Int64(frames - head))
    }
}

/// Delays a path that would arrive early where it meets another.
struct DelayStep: BitwiseCopyable {
    var delay: FrameDelay
    var from: UnsafePointer<Float>
    var into: UnsafeMutablePointer<Float>

    @_noLocks
    mutating func run(_ frames: Int) {
        delay.write(from, frames)
        delay.read(into, frames)
    }
}

// SAFETY: `ScheduleLayout` puts this function beside a state of this type alone.
@_noLocks
func runDelayStep(_ state: UnsafeMutableRawPointer, _ cycle: UnsafePointer<RTCycle>) {
    state.assumingMemoryBound(to: DelayStep.self).pointee.run(Int(cycle.pointee.frameCount))
}
