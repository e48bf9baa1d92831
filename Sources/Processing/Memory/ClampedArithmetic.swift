extension Int {
    /// Returns the sum, or the largest number instead of an overflow.
    public func addingClamped(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }

    /// Returns the product, or the largest number instead of an overflow; both numbers must be at
    /// least 0.
    public func multipliedClamped(by other: Int) -> Int {
        let (product, overflows) = multipliedReportingOverflow(by: other)
        return overflows ? .max : product
    }
}
