internal import CRealtime

/// Delays a channel by a whole number of frames.
struct FrameDelay: BitwiseCopyable {
    private let line: UnsafeMutablePointer<Float>
    private let mask: Int
    private(set) var delayFrames: Int
    private let maximumFrames: Int
    private var written = 0

    /// Creates a delay for calls of up to `maximumBlockFrames` frames.
    ///
    /// - Parameters:
    ///   - frames: The delay, in frames; at least 0.
    ///   - maximumFrames: The maximum delay, in frames; larger requests are clamped to it.
    ///   - maximumBlockFrames: The maximum number of frames per call.
    ///   - arena: The arena for its memory.
    init(frames: Int, maximumFrames: Int = 0, maximumBlockFrames: Int, arena: Arena) {
        self.maximumFrames = max(frames, maximumFrames)
        var size = 1
        while size < self.maximumFrames + maximumBlockFrames { size *= 2 }
        line = arena.samples(size)
        mask = size - 1
        delayFrames = frames
    }

    /// Changes the delay from the next `read` on.
    @_noLocks
    mutating func setDelay(_ frames: Int) { delayFrames = min(max(0, frames), maximumFrames) }

    /// Writes a block into the delay line.
    @_noLocks
    mutating func write(_ from: UnsafePointer<Float>, _ frames: Int) {
        let start = written & mask
        let head = min(frames, mask + 1 - start)
        rt_copy(line + start, from, Int64(head))
        rt_copy(line, from + head, Int64(frames - head))
        written &+= frames
    }

    /// Reads the delayed block for the block written last.
    @_noLocks
    func read(_ into: UnsafeMutablePointer<Float>, _ frames: Int) {
        read(into, frames, delayFrames: delayFrames)
    }

    /// Reads the block written last with another delay, in frames; it is clamped to the maximum.
    @_noLocks
    func read(_ into: UnsafeMutablePointer<Float>, _ frames: Int, delayFrames: Int) {
        let start = (written &- frames &- min(max(0, delayFrames), maximumFrames)) & mask
        let head = min(frames, mask + 1 - start)
        rt_copy(into, line + start, Int64(head))
        rt_copy(into + head, line, Int64(frames - head))
    }
}

/// Delays a path, to align its signal with a later one at the input that sums both.
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

// SAFETY: `ScheduleLayout` pairs this function only with a state of this type.
@_noLocks
func runDelayStep(_ state: UnsafeMutableRawPointer, _ cycle: UnsafePointer<RTCycle>) {
    state.assumingMemoryBound(to: DelayStep.self).pointee.run(Int(cycle.pointee.frameCount))
}
