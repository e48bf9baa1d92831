internal import CRealtime

/// A level in decibels; 0 dB is an amplitude of 1.
public struct Decibels: BitwiseCopyable, Sendable {
    /// The level.
    public let value: Double

    /// The lowest level of every gain parameter, which means silence.
    public static let silence = -120.0

    /// Creates a level of `value` dB.
    @_noLocks @inline(__always)
    public init(_ value: Double) { self.value = value }

    /// Creates the level of an amplitude: 20 log10 of it, and minus infinity if it is not positive.
    @_noLocks
    public init(amplitude: Double) {
        value = amplitude > 0 ? 20 / 2.302585092994046 * rt_log(amplitude) : -.infinity
    }

    /// The amplitude, 10 to the power of `value` / 20: exactly 0 at -120 dB and below, exactly 1 at
    /// 0 dB.
    public var amplitude: Double {
        @_noLocks get {
            value <= -120 ? 0 : value == 0 ? 1 : rt_exp(value * (2.302585092994046 / 20))
        }
    }
}
