/// The logarithm to base two, close enough for a knob's pointer.
enum Logarithm {
    /// Exact at powers of two, straight between them; for positive values.
    static func of(_ value: Double) -> Double {
        Double(value.exponent) + value.significand - 1
    }
}
