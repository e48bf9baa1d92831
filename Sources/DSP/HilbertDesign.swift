internal import CRealtime

/// The coefficients of two allpass chains whose outputs are 90 degrees apart, except within
/// `edgeHertz` of 0 Hz and of Nyquist.
///
/// An elliptic half-band design: R. A. Valenzuela and A. G. Constantinides, "Digital signal
/// processing schemes for efficient interpolation and decimation", 1983. Each coefficient c belongs
/// to a section (c - z⁻²) / (1 - c z⁻²).
struct HilbertDesign {
    /// The coefficients in ascending order, which alternate between the two chains.
    let coefficients: [Double]

    /// Designs `count` sections.
    ///
    /// - Parameters:
    ///   - count: The number of sections of both chains together.
    ///   - edgeHertz: The lowest accurate frequency, above 0 and below a quarter of the sample
    ///     rate.
    ///   - sampleRate: Frames per second.
    init(count: Int, edgeHertz: Double, sampleRate: Double) {
        let k = squared(rt_tan((1 - 4 * edgeHertz / sampleRate) * Double.pi / 4))
        let nome = ellipticNome(modulus: k)
        coefficients = (1...count).map { section in
            let angle = Double.pi * Double(section) / Double(2 * count + 1)
            let w = squared(thetaRatio(nome: nome, angle: angle))
            let x = ((1 - w * k) * (1 - w / k)).squareRoot() / (1 + w)
            return (1 - x) / (1 + x)
        }
    }
}

/// Returns Jacobi's elliptic sine, as a ratio of theta functions.
private func thetaRatio(nome: Double, angle: Double) -> Double {
    var above = 0.0
    var below = 0.5
    for index in 0..<40 {
        let i = Double(index)
        let sign = index.isMultiple(of: 2) ? 1.0 : -1.0
        above += sign * rt_pow(nome, i * (i + 1)) * rt_sin((2 * i + 1) * angle)
        if index > 0 { below += sign * rt_pow(nome, i * i) * rt_cos(2 * i * angle) }
    }
    return rt_pow(nome, 0.25) * above / below
}

/// Returns the elliptic nome, exp(-π K'/K).
///
/// It uses the arithmetic-geometric mean: K = π / (2 agm(1, √(1 - k²))). The usual truncated series
/// costs up to 19 dB.
private func ellipticNome(modulus k: Double) -> Double {
    let complement = ((1 - k) * (1 + k)).squareRoot()
    return rt_exp(
        -Double.pi * arithmeticGeometricMean(1, complement) / arithmeticGeometricMean(1, k))
}

/// Returns the common limit of the arithmetic and the geometric means of two positive numbers.
private func arithmeticGeometricMean(_ a: Double, _ b: Double) -> Double {
    var (a, b) = (a, b)
    // The number of correct digits doubles with every round: twelve rounds suffice from any start.
    for _ in 0..<12 { (a, b) = ((a + b) / 2, (a * b).squareRoot()) }
    return a
}

private func squared(_ x: Double) -> Double { x * x }
