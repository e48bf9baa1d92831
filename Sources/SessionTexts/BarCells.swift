extension Double {
    /// Returns how many cells of a bar a share fills.
    ///
    /// - Parameter cells: The length of the bar.
    /// - Returns: 0 through `cells`. A partly filled cell counts as filled, and NaN fills none.
    package func filling(cells: Int) -> Int {
        // `max` comes first, because it turns NaN into 0.
        Int((min(max(0, self), 1) * Double(cells)).rounded(.up))
    }
}
