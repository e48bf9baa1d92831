internal import CRealtime

/// The musical point that a start waits for.
enum StartPoint: Int, BitwiseCopyable {
    case now, beat, bar

    /// Returns how long a start waits at a frame of a block.
    ///
    /// - Parameters:
    ///   - transport: The transport at the block's first frame; without one, the wait is 0.
    ///   - frame: The frame in the block.
    ///   - sampleRate: The sample rate in Hz.
    /// - Returns: The frames to wait; `.max` if the transport does not roll or has no tempo.
    @_noLocks
    func frames(
        in transport: UnsafePointer<RTTransport>?, from frame: Int, sampleRate: Double
    ) -> Int {
        guard self != .now, let time = transport?.pointee else { return 0 }
        guard time.isRolling, time.beatsPerMinute > 0 else { return .max }
        let framesPerBeat = sampleRate * 60 / time.beatsPerMinute
        let period = (self == .beat ? 1 : max(1, time.beatsPerBar)) * framesPerBeat
        // Longer than any session, or not a number.
        guard period < 1e15 else { return .max }
        let passed = time.barBeat * framesPerBeat + Double(frame)
        let since = passed - rt_floor(passed / period) * period
        // The first frame at or after the point. A hundredth of a frame before the point also
        // counts, because points rarely fall exactly on a frame.
        return since < 0.99 ? 0 : max(0, Int(rt_ceil(period - since - 0.01)))
    }
}
