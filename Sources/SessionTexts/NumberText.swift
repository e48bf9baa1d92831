extension Double {
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

    /// Returns how many cells of a bar a share fills.
    ///
    /// - Parameter cells: The length of the bar.
    /// - Returns: 0 through `cells`. A partly filled cell counts as filled, and NaN fills none.
    package func filling(cells: Int) -> Int {
        // `max` comes first, because it turns NaN into 0.
        Int((min(max(0, self), 1) * Double(cells)).rounded(.up))
    }
}
