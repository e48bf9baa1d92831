internal import CRealtime

/// A read position in a delay line: whole frames or, between two frames, a windowed sinc of 16
/// taps.
///
/// The sinc is flat within 0.01 dB up to 0.75 of Nyquist and nowhere above 1.002, so that a loop
/// with a feedback of 0.99 stays stable.
public struct DelayTap: BitwiseCopyable, Sendable {
    let wholeFrames: Int
    let isFractional: Bool
    let weights: SIMD16<Float>

    /// The number of frames that the sinc reaches to each side.
    static var reach: Int { @_noLocks get { 8 } }
    /// The distance from a whole frame, in frames, below which the tap is rounded to it: 20 ns at
    /// 48 kHz.
    private static var resolution: Double { @_noLocks get { 0.001 } }

    /// Creates a tap `frames` back, at least 1.
    ///
    /// Below 8 frames it is rounded to whole frames, because a sinc would need samples that are not
    /// written yet.
    @_noLocks
    public init(frames: Double) {
        let nearest = Double(Int(frames + 0.5))
        if frames < Double(DelayTap.reach) || abs(frames - nearest) < DelayTap.resolution {
            wholeFrames = max(1, Int(nearest))
            isFractional = false
            weights = .zero
        } else {
            wholeFrames = Int(frames)
            isFractional = true
            weights = DelayTap.sinc(fraction: frames - Double(Int(frames)))
        }
    }

    /// Returns a Kaiser-windowed sinc centred `fraction` frames before tap 8, with a sum of 1.
    @_noLocks
    private static func sinc(fraction: Double) -> SIMD16<Float> {
        var weights = SIMD16<Float>.zero
        var sum = 0.0
        let sine = rt_sin(Double.pi * fraction)
        for index in 0..<16 {
            let distance = Double(index - 8) + fraction
            let sign = index.isMultiple(of: 2) ? 1.0 : -1.0
            let weight = sign * sine / distance * kaiser(distance / Double(reach))
            weights[index] = Float(weight)
            sum += weight
        }
        return weights * Float(1 / sum)
    }

    /// Returns the Kaiser window with shape 6 at a position from -1 to 1, up to a constant factor.
    @_noLocks
    private static func kaiser(_ x: Double) -> Double {
        // I₀(z) = Σ (z²/4)ᵏ / k!²
        let quarter = 9 * max(0, 1 - x * x)
        var term = 1.0
        var sum = 1.0
        for k in 1..<20 {
            term *= quarter / Double(k * k)
            sum += term
        }
        return sum
    }
}
