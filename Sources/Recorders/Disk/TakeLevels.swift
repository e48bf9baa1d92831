internal import CRealtime
internal import Realtime

/// The peak and the RMS of a take over all channels; samples that are not finite count as silence.
struct TakeLevels {
    private var peak = 0.0
    private var squares = 0.0
    private var sampleCount = 0

    /// The lowest level that is reported, in dB.
    static var floorDecibels: Float { @_noLocks get { -160 } }

    /// Adds samples of one channel.
    mutating func include(_ samples: UnsafePointer<Float>, count: Int) {
        sampleCount += count
        guard !rt_is_finite(samples, Int64(count)) else {
            let level = rt_level(samples, Int64(count))
            peak = max(peak, Double(level.peak))
            squares += Double(level.squares)
            return
        }
        for index in 0..<count where samples[index].isFinite {
            let x = Double(samples[index])
            peak = max(peak, abs(x))
            squares += x * x
        }
    }

    /// Adds silence.
    mutating func includeSilence(count: Int) { sampleCount += count }

    /// The highest magnitude, in dB.
    var peakDecibels: Float { Self.held(Decibels(amplitude: peak).value) }

    /// The root mean square, in dB.
    var rmsDecibels: Float {
        let power = sampleCount > 0 ? squares / Double(sampleCount) : 0
        return Self.held(Decibels(amplitude: power).value / 2)
    }

    private static func held(_ decibels: Double) -> Float {
        max(floorDecibels, Float(decibels))
    }
}
