internal import CRealtime

/// The levels of a mono signal on two channels, depending on its pan position.
///
/// At a hard side, the near channel has 0 dB and the far one is silent. In the centre, both have
/// the level of the law.
public struct PanLaw: BitwiseCopyable, Sendable {
    /// The exponent of the quarter-wave taper; 0 selects the straight line of the 0 dB law.
    private let exponent: Double

    /// Creates the law with a centre level in dB, from -6 to 0.
    public init(centreDecibels: Double) {
        // cos(45°) is -3.0103 dB, so this power of it has exactly the level of the law.
        exponent = centreDecibels == 0 ? 0 : centreDecibels / -3.010299956639812
    }

    /// Returns the amplitudes of the left and the right channel.
    ///
    /// - Parameter pan: The pan position, from -1 (hard left) to 1 (hard right).
    /// - Returns: Both amplitudes, from 0 to 1.
    @_noLocks
    public func amplitudes(pan: Double) -> (left: Double, right: Double) {
        exponent == 0
            ? PanLaw.balance(pan: pan)
            : (taper(from: (1 + pan) / 2), taper(from: (1 - pan) / 2))
    }

    /// Returns the amplitudes that balance a stereo signal: the near channel keeps its level, and
    /// the far one fades along a straight line.
    @_noLocks
    public static func balance(pan: Double) -> (left: Double, right: Double) {
        (pan > 0 ? max(0, 1 - pan) : 1, pan < 0 ? max(0, 1 + pan) : 1)
    }

    /// Returns a quarter cosine raised to `exponent`: 1 at distance 0, exactly 0 at distance 1.
    @_noLocks
    private func taper(from distance: Double) -> Double {
        if distance <= 0 { return 1 }
        if distance >= 1 { return 0 }
        return rt_pow(rt_cos(distance * (Double.pi / 2)), exponent)
    }
}
