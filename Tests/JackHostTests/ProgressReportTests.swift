import JackHost
import Synchronization
import Testing

@Suite("Reports of progress for a watchdog")
struct ProgressReportTests {
    private static let pause = ProgressReport.pauseNanoseconds

    /// Counts the reports for a number of cycles at each of many times, a pause apart.
    private func count(_ cycles: [UInt64?], pauseNanoseconds: UInt64 = pause) -> Int {
        let reports = Counter()
        var progress = ProgressReport { reports.add() }
        for (step, cycle) in cycles.enumerated() {
            progress.advance(cycle: cycle, nowNanoseconds: UInt64(step) * pauseNanoseconds)
        }
        return reports.count
    }

    @Test("come while cycles run")
    func running() { #expect(count([1, 2, 3, 90, 91]) == 5) }

    @Test("stop while the audio thread hangs, and come again afterwards")
    func hanging() { #expect(count([1, 2, 2, 2, 2, 3]) == 3) }

    @Test("come while the session waits for a server, and when one is back")
    func waiting() { #expect(count([7, nil, nil, nil, 0, 0, 1]) == 6) }

    @Test("come at most once per pause")
    func pauses() { #expect(count(Array(1...100), pauseNanoseconds: Self.pause / 10) == 10) }
}

private final class Counter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
}
