/// Reports that the session works, for a watchdog.
///
/// The report comes from the session's thread, and only while the audio thread makes progress, so
/// that a watchdog notices if one of them hangs. Times are in ns of the monotonic clock.
package struct ProgressReport {
    /// The shortest time between two reports, in ns.
    package static let pauseNanoseconds: UInt64 = 250_000_000

    private let receiver: (@Sendable () -> Void)?
    private var reportedCycle: UInt64?
    private var dueNanoseconds: UInt64 = 0

    /// Creates a report.
    ///
    /// - Parameter receiver: Called for each report; `nil` without a watchdog.
    package init(_ receiver: (@Sendable () -> Void)?) { self.receiver = receiver }

    /// Reports progress if the audio thread has made some, and the pause is over.
    ///
    /// - Parameters:
    ///   - cycle: The number of cycles of the audio thread; `nil` while the session waits for a
    ///     server, which counts as progress.
    ///   - now: The time.
    package mutating func advance(cycle: UInt64?, nowNanoseconds now: UInt64) {
        guard let receiver, now >= dueNanoseconds else { return }
        if let cycle, cycle == reportedCycle { return }
        reportedCycle = cycle
        dueNanoseconds = now + Self.pauseNanoseconds
        receiver()
    }
}
