internal import Glibc

/// A time in the format of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns the text of a time in seconds since 1970.
    static func text(_ seconds: Int) -> String {
        var clock = time_t(seconds)
        var parts = tm()
        guard gmtime_r(&clock, &parts) != nil else { return "" }
        let (day, month) = (Int(parts.tm_wday), Int(parts.tm_mon))
        guard days.indices.contains(day), months.indices.contains(month) else { return "" }
        let date = "\(two(parts.tm_mday)) \(months[month]) \(1900 + Int(parts.tm_year))"
        let time = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(days[day]), \(date) \(time) GMT"
    }

    private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
