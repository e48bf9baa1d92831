internal import CRealtime

/// Limits the channels of an output to -0.3 dBFS, with one gain for all channels to preserve the
/// stereo image.
///
/// Below the ceiling every sample passes unchanged, bit for bit. Above it the gain falls at once,
/// so there is no latency. The gain is then held, and rises by a constant 60 dB per second back to
/// exactly 1. However far the gain fell, the rise starts at -40 dB or above, so that a single
/// extreme sample from a plugin does not silence the seconds that follow.
struct Limiter: BitwiseCopyable {
    /// -0.3 dBFS, rounded down to a representable sample value.
    static let ceiling: Float = 0.966_050_86
    /// Longer than half a period of the lowest note, so that a steady sound is not modulated.
    private static let holdSeconds = 0.02
    private static let releaseDecibelsPerSecond = 60.0
    /// The lowest gain at which the rise starts, -40 dB; the rise takes at most two thirds of a
    /// second.
    private static let lowestReleaseGain: Float = 0.01

    /// The hold and release times at a sample rate.
    struct Timing: BitwiseCopyable {
        let holdFrames: Int32
        let releaseFactor: Float

        /// Calculates the times for a sample rate.
        ///
        /// - Parameter sampleRate: In Hz.
        init(sampleRate: Double) {
            holdFrames = Int32(Limiter.holdSeconds * sampleRate)
            releaseFactor = Float(
                rt_exp(Limiter.releaseDecibelsPerSecond / 20 * 2.302_585_092_994_046 / sampleRate))
        }
    }

    private(set) var gain: Float = 1
    /// The lowest gain since the last report.
    private(set) var lowestGain: Float = 1
    private var holdFramesLeft: Int32 = 0
    private var timing: Timing

    init(_ timing: Timing) { self.timing = timing }

    /// Continues at another sample rate, with the current gain.
    @_noLocks
    mutating func follow(_ newTiming: Timing) { timing = newTiming }

    /// Limits a block in place.
    ///
    /// - Parameters:
    ///   - channels: One pointer per channel.
    ///   - count: The number of channels.
    ///   - frames: The number of frames in each channel.
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

    /// Resets the lowest gain after a report.
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
            // A steady sound reaches the ceiling in each half period: it keeps its gain.
            holdFramesLeft = timing.holdFrames
        } else if holdFramesLeft > 0 {
            holdFramesLeft -= 1
        } else {
            gain = min(1, max(gain, Self.lowestReleaseGain) * timing.releaseFactor)
        }
    }
}
