internal import Glibc

/// A local time of day for messages.
struct TimeOfDay {
    /// Hours, minutes and seconds, such as `21:03:07`.
    let text: String

    /// Creates the time of day from seconds since 1970 (UTC).
    init(unixSeconds seconds: Double) {
        var time = time_t(exactly: seconds.rounded(.down)) ?? 0
        var parts = tm()
        localtime_r(&time, &parts)
        text = [parts.tm_hour, parts.tm_min, parts.tm_sec]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
