import Doctor
import Testing

@Suite("Wake-ups")
struct WakeupTests {
    private func histogram(_ nanoseconds: [UInt64]) -> WakeupHistogram {
        var histogram = WakeupHistogram()
        for delay in nanoseconds { histogram.add(nanoseconds: delay) }
        return histogram
    }

    @Test("are counted in steps of 1 µs; the longest one is exact")
    func count() {
        let delays = (1...999).map { UInt64($0) * 1000 - 500 } + [3_000_000_123]
        let histogram = histogram(delays)
        #expect(histogram.count == 1000)
        #expect(histogram.shortestSeconds == 500e-9)
        #expect(histogram.seconds(share: 0.5) == 500e-6)
        #expect(histogram.seconds(share: 0.999) == 999e-6)
        #expect(histogram.longestSeconds == 3.000000123)
        #expect(histogram.seconds(share: 1) == histogram.longestSeconds)
        #expect(histogram.octaves.reduce(0) { $0 + $1.count } == 1000)
    }

    @Test("without any, nothing is stated")
    func none() {
        let histogram = WakeupHistogram()
        #expect(histogram.longestSeconds == 0 && histogram.seconds(share: 0.5) == 0)
        #expect(histogram.octaves.isEmpty)
        let measured = WakeupMeasurement(histogram: histogram, priority: nil)
        #expect(verdict(measured)?.state == .unknown)
    }

    /// Returns the finding about wake-ups on a machine that plays periods of 64 frames (1.33 ms).
    private func verdict(_ measured: WakeupMeasurement) -> Finding? {
        MachineTree.realtime.examination(wakeups: measured).findings.first { $0.id == "wake-ups" }
    }

    @Test("are bad above half a period, and noticed above a quarter")
    func limits() {
        func state(_ microseconds: UInt64) -> Finding.State? {
            verdict(
                WakeupMeasurement(
                    histogram: histogram([20_000, microseconds * 1000]), priority: 80)
            )?.state
        }
        #expect(state(300) == .good && state(340) == .notice && state(700) == .bad)
    }

    @Test("of an ordinary thread are stated as such")
    func ordinary() {
        let measured = WakeupMeasurement(histogram: histogram([60_000]), priority: nil)
        #expect(verdict(measured)?.finding.contains("an ordinary thread") == true)
    }

    @Test("are measured: at least one and at most one per millisecond")
    func measurement() throws {
        let measured = try #require(WakeupMeasurement(seconds: 0.2))
        #expect((1...200).contains(measured.histogram.count))
        #expect(measured.histogram.shortestSeconds <= measured.histogram.longestSeconds)
    }
}
