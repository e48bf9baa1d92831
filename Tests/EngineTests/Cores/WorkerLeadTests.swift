import Testing

import Engine

@Suite("How long before a call a worker wakes up")
struct WorkerLeadTests {
    /// A tick is a nanosecond.
    private static let rate: UInt64 = 1_000_000
    private static let period: UInt64 = 1_333_333

    private static func nap(_ lead: WorkerLead, until call: UInt64, now: UInt64) -> UInt64 {
        lead.nap(before: call, period, rate, now: now)
    }

    @Test("at first it is an eighth of a period, or 0.2 ms")
    func begins() {
        let lead = WorkerLead()
        #expect(lead.most(Self.period, Self.rate) == 166_666)
        #expect(lead.most(21_333_333, Self.rate) == 200_000)
        #expect(Self.nap(lead, until: 5_000_000, now: 4_000_000) == 833_334)
    }

    @Test("a worker that could not sleep for an eighth of the period waits to be woken")
    func sleeps() {
        let lead = WorkerLead()
        let least = Self.period / 8 + 166_666
        #expect(Self.nap(lead, until: 5_000_000, now: 5_000_000 - least) == Self.period / 8)
        #expect(Self.nap(lead, until: 5_000_000, now: 5_000_001 - least) == 0)
    }

    @Test(
        "a call that has already begun, none at all, and one that is too far away are not expected",
        arguments: [(4_000_000, 5_000_000), (0, 5_000_000), (9_000_000, 5_000_000)])
    func expectsNothing(call: UInt64, now: UInt64) {
        #expect(Self.nap(WorkerLead(), until: call, now: now) == 0)
    }

    @Test("calls without a period are not expected")
    func freewheels() {
        #expect(WorkerLead().nap(before: 0, 0, 1, now: 5_000_000) == 0)
    }

    @Test("a processor that wakes up in 40 µs is late in one of 50 to 80 calls")
    func adapts() {
        var lead = WorkerLead()
        var late = 0
        for call in 0..<20_000 {
            let nap = Self.nap(lead, until: 5_000_000, now: 4_000_000)
            // The time varies by 10 µs.
            let wakesAt = 4_000_000 + nap + 40_000 + UInt64(call * 7919 % 10_000)
            lead.adapt(isLate: wakesAt > 5_000_000)
            if call >= 2_000, wakesAt > 5_000_000 { late += 1 }
        }
        #expect((18_000 / 80...18_000 / 50).contains(late))
        let rest = 1_000_000 - Self.nap(lead, until: 5_000_000, now: 4_000_000)
        #expect((40_000...65_000).contains(rest))
    }
}
