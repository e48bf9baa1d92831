internal import CRealtime

/// Keeps the channels of an output at or below -0.3 dBFS, all with one gain so that the image
/// stays.
///
/// Below the ceiling it passes every sample unchanged, to the bit. Above it the gain falls at once,
/// so there is no latency; it is held, then rises by a constant 60 dB a second back to exactly 1. However far it fell,
/// it rises from -40 dB: what a plugin spits out once must not silence the seconds that follow.
struct Limiter: BitwiseCopyable {
    /// -0.3 dBFS, rounded down to the next sample value.
    static let ceiling: Float = 0.966_050_86
    /// Longer than half a period of the lowest note, so that a steady sound is not modulated.
    private static let holdSeconds = 0.02
    private static let releaseDecibelsPerSecond = 60.0
    /// The lowest gain that the rise begins at, -40 dB: it lasts two thirds of a second at most.
    private static let lowestReleaseGain: Float = 0.01

    /// How fast it works at a sample rate.
    struct Timing: BitwiseCopyable {
        let holdFrames: Int32
        let releaseFactor: Float

        /// - Parameter sampleRate: In Hz.
        init(sampleRate: Double) {
            holdFrames = Int32(Limiter.holdSeconds * sampleRate)
            releaseFactor = Float(
                rt_exp(Limiter.releaseDecibelsPerSecond / 20 * 2.302_585_092_994_046 / sampleRate))
        }
    }

    private(set) var gain: Float = 1
    /// The lowest gain since it was last reported.
    private(set) var lowestGain: Float = 1
    private var holdFramesLeft: Int32 = 0
    private var timing: Timing

    init(_ timing: Timing) { self.timing = timing }

    /// Goes on at another sample rate, with the gain it has.
    @_noLocks
    mutating func follow(_ newTiming: Timing) { timing = newTiming }

    /// Limits a block in place.
    ///
    /// - Parameters:
    ///   - channels: One pointer a channel.
    ///   - count: How many channels there are.
    ///   - frames: How many frames stand behind each.
    @_noLocks
    mutating func run(
        _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, count: Int, frames: Int
    ) {
        if gain == 1, blockPeak(channels, count, frames) <= Self.ceiling { return }
        for frame in 0..<frames {
            var peak: Float = 0
            for channel in 0..<count { peak = max(peak, abs(channels[channel][frame])) }
            advance(peak)
            guard gain < 1 else { continue }
            for channel in 0..<count {
                let limited = channels[channel][frame] * gain
                channels[channel][frame] = max(-Self.ceiling, min(Self.ceiling, limited))
            }
        }
    }

    /// Forgets the lowest gain after a report.
    @_noLocks
    mutating func clearLowestGain() { lowestGain = gain }

    @_noLocks
    private func blockPeak(
        _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ count: Int, _ frames: Int
    ) -> Float {
        var peak: Float = 0
        for channel in 0..<count {
            peak = max(peak, rt_level(channels[channel], Int64(frames)).peak)
        }
        return peak
    }

    @_noLocks @inline(__always)
    private mutating func advance(_ peak: Float) {
        if peak * gain > Self.ceiling {
            gain = Self.ceiling / peak
            lowestGain = min(lowestGain, gain)
            holdFramesLeft = timing.holdFrames
        } else if peak * gain > 0.99 * Self.ceiling {
            // A steady sound comes up to the ceiling each half period: it keeps its gain.
            holdFramesLeft = timing.holdFrames
        } else if holdFramesLeft > 0 {
            holdFramesLeft -= 1
        } else {
            gain = min(1, max(gain, Self.lowestReleaseGain) * timing.releaseFactor)
        }
    }
}
