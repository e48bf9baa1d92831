extension Double {
    /// The shortest text that reads back as the same number, without a point if none is needed.
    package var plain: String { withoutPoint(description) }

    /// Returns the number with a fixed number of digits after the decimal point: `(2.666).fixed(1)`
    /// is "2.7".
    ///
    /// - Parameter digits: From 0 through 6.
    /// - Returns: The text.
    package func fixed(_ digits: Int) -> String {
        var scale = 1
        for _ in 0..<digits { scale *= 10 }
        guard let scaled = Int(exactly: (magnitude * Double(scale)).rounded()) else {
            return "\(self)"
        }
        let sign = self < 0 && scaled != 0 ? "-" : ""
        guard digits > 0 else { return sign + "\(scaled)" }
        let fraction = "\(scaled % scale)"
        let zeros = String(repeating: "0", count: digits - fraction.count)
        return sign + "\(scaled / scale)." + zeros + fraction
    }

    /// Returns the number with at most some digits after the decimal point, and without trailing
    /// zeros: `(2.5).trimmed(2)` is "2.5".
    ///
    /// - Parameter digits: From 0 through 6.
    /// - Returns: The text.
    package func trimmed(_ digits: Int) -> String {
        let scale = (0..<digits).reduce(1.0) { power, _ in power * 10 }
        let rounded = (self * scale).rounded() / scale
        return (rounded == 0 ? 0 : rounded).plain
    }
}

extension Float {
    /// The shortest text that reads back as the same number, without a point if none is needed.
    package var plain: String { withoutPoint(description) }
}

private func withoutPoint(_ text: String) -> String {
    text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
