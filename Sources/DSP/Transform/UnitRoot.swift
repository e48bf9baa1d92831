internal import CRealtime

/// Returns e to the power of -2πi · power / count.
func unitRoot(of count: Int, _ power: Int) -> (real: Float, imaginary: Float) {
    let angle = -2 * Double.pi * Double(power % count) / Double(count)
    return (Float(rt_cos(angle)), Float(rt_sin(angle)))
}
