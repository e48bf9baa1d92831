internal import CRealtime

/// How loud a mono signal is on each of two channels, by its place between them.
///
/// At a hard side the near channel has 0 dB and the far one is silent; in the middle both have the law's level.
public struct PanLaw: BitwiseCopyable, Sendable {
    /// Power of the quarter-wave taper; 0 stands for the straight line of the 0 dB law.
    private let exponent: Double

    /// The law that gives both channels this level in the middle, in dB, from -6 through 0.
    public init(centreDecibels: Double) {
        // cos(45°) is -3.0103 dB, so its power of this is the law's level exactly.
        exponent = centreDecibels == 0 ? 0 : centreDecibels / -3.010299956639812
    }

    /// Amplitudes of the left and the right channel.
    ///
    /// - Parameter pan: From -1, hard left, through 1, hard right.
    /// - Returns: Both from 0 through 1.
    @_noLocks
    public func amplitudes(pan: Double) -> (left: Double, right: Double) {
        exponent == 0
            ? PanLaw.balance(pan: pan)
            : (taper(from: (1 + pan) / 2), taper(from: (1 - pan) / 2))
    }

    /// Amplitudes by which a stereo signal leans to a side: the near channel stays, the far one fades along a straight line.
    @_noLocks
    public static func balance(pan: Double) -> (left: Double, right: Double) {
        (pan > 0 ? max(0, 1 - pan) : 1, pan < 0 ? max(0, 1 + pan) : 1)
    }

    /// A quarter wave's fall from 1 at distance 0 to exactly 0 at distance 1.
    @_noLocks
    private func taper(from distance: Double) -> Double {
        if distance <= 0 { return 1 }
        if distance >= 1 { return 0 }
        return rt_pow(rt_cos(distance * (Double.pi / 2)), exponent)
    }
}
