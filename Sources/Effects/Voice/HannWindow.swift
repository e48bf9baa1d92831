/// The Hann window as a polynomial: exactly 0 at and beyond both ends, exactly 1 in the middle,
/// accurate to 1e-7 in between.
enum HannWindow {
    /// Returns `1/2 + 1/2 cos(pi v)` for positions from -1 through 1; positions outside count as
    /// the nearest end.
    @_noLocks @inline(__always)
    static func value(at position: SIMD4<Float>) -> SIMD4<Float> {
        let square = position * position
        // `clamped` and `pointwiseMin` are function calls; `replacing` is inlined.
        let q = square.replacing(with: SIMD4(repeating: 1), where: square .> 1)
        // Both ends are double zeros. The rest of the cosine is smooth; these are the coefficients
        // of its minimax polynomial.
        let rest =
            1 + q
            * (-0.467_400_54 + q * (0.094_544_755 + q * (-0.011_079_241 + q * 0.000_788_252_6)))
        let zero = 1 - q
        return zero * zero * rest
    }
}
