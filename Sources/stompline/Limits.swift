internal import ArgumentParser

/// What numbers on the command line may be.
enum Limits {
    /// The longest time: a week.
    static let longestSeconds = 604_800.0

    /// - Throws: `ValidationError` where no sound card and no file has such a rate.
    static func check(rate: Int) throws {
        try check("--rate", Double(rate), 1000...768_000, "Hz")
    }

    /// - Throws: `ValidationError` where no block has so many frames.
    static func check(block: Int) throws {
        try check("--block", Double(block), 1...65_536, "frames")
    }

    /// - Throws: `ValidationError` where the time is negative, not a number, or beyond a week.
    static func check(_ option: String, seconds: Double) throws {
        try check(option, seconds, 0...longestSeconds, "seconds")
    }

    private static func check(
        _ option: String, _ value: Double, _ range: ClosedRange<Double>, _ unit: String
    ) throws {
        if range.contains(value) { return }
        let (low, high) = (Int(range.lowerBound), Int(range.upperBound))
        throw ValidationError("\(option) takes \(low) to \(high) \(unit), not \(value.plain)")
    }
}
