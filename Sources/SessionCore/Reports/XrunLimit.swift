/// Limits reports of xruns to one every five seconds.
///
/// The first is immediate; later ones contain all xruns since the previous report.
package struct XrunLimit {
    private static let pauseNanoseconds: UInt64 = 5_000_000_000

    private var waiting: XrunReport?
    /// The time of the last report, in ns of the monotonic clock; `nil` before the first one.
    private var lastNanoseconds: UInt64?

    /// Creates a limit that lets the first report pass.
    package init() {}

    /// Adds xruns to the next report.
    package mutating func add(_ xruns: XrunReport) {
        if waiting == nil { waiting = xruns } else { waiting?.add(xruns) }
    }

    /// Removes and returns the report that is due.
    ///
    /// - Parameter now: The time in ns of the monotonic clock.
    /// - Returns: The report; `nil` if no report is due.
    package mutating func popDue(atNanoseconds now: UInt64) -> XrunReport? {
        guard waiting != nil else { return nil }
        if let lastNanoseconds, now < lastNanoseconds + Self.pauseNanoseconds { return nil }
        lastNanoseconds = now
        return popWaiting()
    }

    /// Removes and returns the next report, even if it is not due; `nil` without waiting xruns.
    package mutating func popWaiting() -> XrunReport? {
        defer { waiting = nil }
        return waiting
    }
}
