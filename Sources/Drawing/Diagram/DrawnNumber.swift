internal import Platform

/// Formats numbers for drawings.
enum DrawnNumber {
    /// Returns a number with at most `decimals` decimals, without trailing zeros, and with a true
    /// minus sign.
    static func plain(_ value: Double, decimals: Int) -> String {
        guard value.isFinite else { return value.isNaN ? "?" : value < 0 ? "−∞" : "∞" }
        let text = value.trimmed(decimals)
        return text.hasPrefix("-") ? "−" + text.dropFirst() : text
    }

    /// Returns a number with about three significant digits.
    static func short(_ value: Double) -> String {
        switch abs(value) {
        case 100...: plain(value, decimals: abs(value) < 10_000 ? 1 : 0)
        case 10...: plain(value, decimals: 1)
        case 1...: plain(value, decimals: 2)
        case 0.1...: plain(value, decimals: 3)
        default: plain(value, decimals: 5)
        }
    }

    /// Returns the same as `short`, with a plus sign above zero.
    static func signed(_ value: Double) -> String { (value > 0 ? "+" : "") + short(value) }
}
