internal import DSP
internal import Realtime

/// What went in, late by the kernel's latency, to be heard while the host has the plugin switched off.
struct DrySignal: BitwiseCopyable {
    private let channelCount: Int
    // SAFETY: the place lives from `init` through `deallocate`, which the owner calls at its own end.
    private let lines: UnsafeMutablePointer<DelayLine>
    private let tap: DelayTap
    private var share: Ramp

    init(channelCount: Int, latencyFrames: Int, sampleRate: Double) {
        self.channelCount = channelCount
        lines = .allocate(capacity: channelCount)
        for channel in 0..<channelCount {
            (lines + channel).initialize(to: DelayLine(maximumFrames: latencyFrames))
        }
        tap = DelayTap(frames: Double(latencyFrames))
        share = Ramp(0, lengthFrames: smoothingFrames(sampleRate: sampleRate))
    }

    func deallocate() {
        for channel in 0..<channelCount { lines[channel].deallocate() }
        lines.deallocate()
    }

    @_noLocks
    mutating func setAudible(_ isAudible: Bool) {
        let target: Float = isAudible ? 1 : 0
        if share.target != target { share.move(to: target) }
    }

    @_noLocks
    mutating func reset() {
        for channel in 0..<channelCount { lines[channel].clear() }
        share.snap()
    }

    /// Takes a channel's next frames in, and fades them over what the kernel made as far as they are audible.
    @_noLocks
    func mix(
        _ channel: Int, _ input: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>,
        count: Int
    ) {
        var share = share
        for frame in 0..<count {
            let dry = lines[channel].read(tap)
            lines[channel].push(input[frame])
            let part = share.next()
            if part == 1 {
                output[frame] = dry
            } else if part > 0 {
                output[frame] += (dry - output[frame]) * part
            }
        }
    }

    /// Moves on by what all channels were mixed with.
    @_noLocks
    mutating func advance(_ count: Int) {
        for _ in 0..<count where !share.isResting { _ = share.next() }
    }
}
