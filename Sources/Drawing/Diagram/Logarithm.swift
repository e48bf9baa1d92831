/// The logarithm to base 2, accurate enough for a knob's pointer.
enum Logarithm {
    /// Returns a value that is exact at powers of two and linear in between; for positive values.
    static func of(_ value: Double) -> Double {
        Double(value.exponent) + value.significand - 1
    }
}
