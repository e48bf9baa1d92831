extension Array {
    /// The index of an element by the number that people give it.
    ///
    /// - Parameter number: The element's number, from 1. Any number may be asked for.
    /// - Returns: The index, or `nil` if there is no such element.
    package func index(number: Int) -> Int? {
        number >= 1 && number <= count ? number - 1 : nil
    }
}
