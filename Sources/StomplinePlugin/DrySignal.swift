internal import DSP
internal import Realtime

/// The input, delayed by the kernel's latency; the plugin outputs it while the host has the plugin
/// switched off.
struct DrySignal: ~Copyable {
    private let lines: Buffer<DelayLine>
    /// Where a line is read; `nil` without a delay.
    private let tap: DelayTap?
    private var share: Ramp

    init(channelCount: Int, latencyFrames: Int, sampleRate: Double) {
        lines = Buffer(count: channelCount) { _ in DelayLine(maximumFrames: latencyFrames) }
        tap = latencyFrames > 0 ? DelayTap(frames: Double(latencyFrames)) : nil
        share = Ramp(0, lengthFrames: smoothingFrames(sampleRate: sampleRate))
    }

    @_noLocks
    mutating func setAudible(_ isAudible: Bool) {
        let target: Float = isAudible ? 1 : 0
        if share.target != target { share.move(to: target) }
    }

    @_noLocks
    mutating func reset() {
        for channel in 0..<lines.count { lines[channel].clear() }
        share.snap()
    }

    /// Delays a channel's next frames, and blends them into the kernel's output during the
    /// crossfade and after it.
    @_noLocks
    func mix(
        _ channel: Int, _ input: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>,
        count: Int
    ) {
        var share = share
        for frame in 0..<count {
            var dry = input[frame]
            if let tap { dry = lines[channel].read(tap) }
            lines[channel].push(input[frame])
            let part = share.next()
            if part == 1 {
                output[frame] = dry
            } else if part > 0 {
                output[frame] += (dry - output[frame]) * part
            }
        }
    }

    /// Advances the crossfade after all channels were mixed.
    @_noLocks
    mutating func advance(_ count: Int) {
        for _ in 0..<count where !share.isResting { _ = share.next() }
    }
}
