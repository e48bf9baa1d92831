internal import CRealtime

/// The law of a volume pedal: the amplitude follows the fourth power of the position.
///
/// With amplitudes `a` at position 0 and `b` at position 1, `b` being the louder one, the amplitude
/// at position `x` is `a + (b - a) · x⁴`. Over the upper 60 dB this is close to equal steps in dB,
/// which are heard as even, and it ends at `a` without a jump. The formula is that of Alexander
/// Thomas, "Programming Volume Controls" (dr-lex.be), for a range of 60 dB.
struct AudioTaper: BitwiseCopyable {
    /// The amplitude, or another linear value, at the quiet end and at the loud end.
    private let quiet: Double
    private let loud: Double
    /// Whether position 0 is the loud end.
    private let isReversed: Bool
    private let isDecibels: Bool

    /// Creates the taper of a range.
    ///
    /// - Parameters:
    ///   - from: The value at position 0.
    ///   - to: The value at position 1.
    ///   - isDecibels: Whether the values are levels in dB; if not, they are linear.
    init(from: Float, to: Float, isDecibels: Bool) {
        isReversed = from > to
        self.isDecibels = isDecibels
        let (low, high) = (Double(min(from, to)), Double(max(from, to)))
        quiet = isDecibels ? Self.amplitude(low) : low
        loud = isDecibels ? Self.amplitude(high) : high
    }

    /// Returns the value at a position from 0 through 1.
    @_noLocks
    func value(at position: Double) -> Double {
        let x = isReversed ? 1 - position : position
        let amplitude = quiet + (loud - quiet) * (x * x) * (x * x)
        return isDecibels ? 20 / Self.logarithmOfTen * rt_log(amplitude) : amplitude
    }

    /// Returns the position of a value inside the range.
    @_noLocks
    func position(of value: Double) -> Double {
        let amplitude = isDecibels ? Self.amplitude(value) : value
        let share = (amplitude - quiet) / (loud - quiet)
        // The fourth root.
        let x = rt_sqrt(rt_sqrt(max(0, min(share, 1))))
        return isReversed ? 1 - x : x
    }

    /// The natural logarithm of 10.
    private static var logarithmOfTen: Double { @_noLocks get { 2.302_585_092_994_046 } }

    /// Returns 10^(dB / 20).
    @_noLocks
    private static func amplitude(_ decibels: Double) -> Double {
        rt_exp(decibels / 20 * logarithmOfTen)
    }
}
