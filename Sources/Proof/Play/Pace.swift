internal import CRealtime
internal import Glibc

/// The times at which blocks begin.
struct Pace {
    private let periodNanoseconds: Double
    private var start: UInt64?
    private var count = 0

    /// Creates the times.
    ///
    /// - Parameter periodNanoseconds: The time from one block to the next, in ns.
    init(periodNanoseconds: Double) { self.periodNanoseconds = periodNanoseconds }

    /// Waits until the next block begins.
    mutating func wait() {
        let now = rt_nanoseconds()
        let begin = start ?? now
        let due = begin + UInt64(Double(count) * periodNanoseconds)
        // After a pause, for example because a song was prepared, the times are counted from now.
        guard due >= now else { return (start, count) = (now, 1) }
        (start, count) = (begin, count + 1)
        var time = timespec(tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    }
}
