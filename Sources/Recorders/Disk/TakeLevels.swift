internal import CRealtime
internal import Realtime

/// Peak and RMS of a take, all channels together; what is not finite counts as silence.
struct TakeLevels {
    private var peak = 0.0
    private var squares = 0.0
    private var sampleCount = 0

    /// The lowest level that is told, in dB.
    static var floorDecibels: Float { @_noLocks get { -160 } }

    /// Takes in samples of one channel.
    mutating func include(_ samples: UnsafePointer<Float>, count: Int) {
        sampleCount += count
        guard !rt_is_finite(samples, Int64(count)) else {
            let level = rt_level(samples, Int64(count))
            peak = max(peak, Double(level.peak))
            squares += Double(level.squares)
            return
        }
        for place in 0..<count where samples[place].isFinite {
            let x = Double(samples[place])
            peak = max(peak, abs(x))
            squares += x * x
        }
    }

    /// Takes in silence.
    mutating func includeSilence(count: Int) { sampleCount += count }

    /// The highest magnitude, in dB.
    var peakDecibels: Float { Self.held(Decibels(amplitude: peak).value) }

    /// The root of the mean square, in dB.
    var rmsDecibels: Float {
        let power = sampleCount > 0 ? squares / Double(sampleCount) : 0
        return Self.held(Decibels(amplitude: power).value / 2)
    }

    private static func held(_ decibels: Double) -> Float {
        max(floorDecibels, Float(decibels))
    }
}
