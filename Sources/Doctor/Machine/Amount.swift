internal import Platform

/// Sizes and times as text.
enum Amount {
    private static let units = ["KiB", "MiB", "GiB", "TiB"]

    /// Returns a size, such as `8 MiB`.
    static func text(bytes: Int) -> String {
        var (value, unit) = (Double(bytes) / 1024, 0)
        while value >= 1024, unit + 1 < units.count { (value, unit) = (value / 1024, unit + 1) }
        return "\(value.trimmed(value < 10 ? 1 : 0)) \(units[unit])"  // checked: below the count
    }

    /// Returns a time, such as `2.67 ms` or `85 µs`.
    static func text(seconds: Double) -> String {
        let microseconds = seconds * 1e6
        return microseconds < 1000
            ? "\(microseconds.trimmed(0)) µs" : "\((microseconds / 1000).trimmed(2)) ms"
    }

    /// Returns a time in µs, such as `2.67 ms` or `85 µs`.
    static func text(microseconds: Int) -> String { text(seconds: Double(microseconds) / 1e6) }
}
