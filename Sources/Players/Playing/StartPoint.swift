internal import CRealtime

/// What a start waits for.
enum StartPoint: Int, BitwiseCopyable {
    case now, beat, bar

    /// How long a start waits at a frame of a block.
    ///
    /// - Parameters:
    ///   - transport: At the block's first frame; without one it starts at once.
    ///   - frame: In the block.
    ///   - sampleRate: Frames a second.
    /// - Returns: Frames from there; `.max` where time does not go on.
    @_noLocks
    func frames(
        in transport: UnsafePointer<RTTransport>?, from frame: Int, sampleRate: Double
    ) -> Int {
        guard self != .now, let time = transport?.pointee else { return 0 }
        guard time.isRolling, time.beatsPerMinute > 0 else { return .max }
        let framesPerBeat = sampleRate * 60 / time.beatsPerMinute
        let period = (self == .beat ? 1 : max(1, time.beatsPerBar)) * framesPerBeat
        let passed = time.barBeat * framesPerBeat + Double(frame)
        let since = passed - rt_floor(passed / period) * period
        // The first frame at or after the point; where frames do not fall on it, a hundredth before it counts.
        return since < 0.99 ? 0 : max(0, Int(rt_ceil(period - since - 0.01)))
    }
}
