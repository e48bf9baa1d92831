/// The Hann window as a polynomial: exactly 0 from both ends on and exactly 1 in the middle, true to 1e-7 between.
enum HannWindow {
    /// `1/2 + 1/2 cos(pi v)` of places from -1 through 1; what lies outside counts as the nearest end.
    @_noLocks @inline(__always)
    static func value(at place: SIMD4<Float>) -> SIMD4<Float> {
        let square = place * place
        // `clamped` and `pointwiseMin` are calls; this is not.
        let q = square.replacing(with: SIMD4(repeating: 1), where: square .> 1)
        // Both ends are double zeros; what remains of the cosine is smooth, and its minimax polynomial has these coefficients.
        let rest =
            1 + q
            * (-0.467_400_54 + q * (0.094_544_755 + q * (-0.011_079_241 + q * 0.000_788_252_6)))
        let zero = 1 - q
        return zero * zero * rest
    }
}
