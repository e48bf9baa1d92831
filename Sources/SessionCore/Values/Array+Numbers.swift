extension Array {
    /// Returns the index of the element with a number that counts from 1.
    ///
    /// - Parameter number: The element's number; any integer is allowed.
    /// - Returns: The index, or `nil` if there is no such element.
    package func index(number: Int) -> Int? {
        number >= 1 && number <= count ? number - 1 : nil
    }
}

extension [String] {
    /// Returns the index of a name, or of a number that counts from 1; a name takes precedence.
    package func index(named text: String) -> Int? {
        firstIndex(of: text) ?? Int(text).flatMap(index(number:))
    }
}
