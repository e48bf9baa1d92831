import Platform
import Testing

@Suite("A time limit of a wait in steps")
struct StallTolerantTimeoutTests {
    private static let start: UInt64 = 7_000_000_000

    /// Returns whether a wait of 1 s, in steps that are planned for 100 ms, is over after steps of
    /// the given times in ms.
    private func isOver(afterSteps milliseconds: [UInt64]) -> Bool {
        var time = Self.start
        var timeout = StallTolerantTimeout(seconds: 1, stepSeconds: 0.1, atNanoseconds: time)
        for step in milliseconds {
            time += step * 1_000_000
            timeout.endStep(atNanoseconds: time)
        }
        return timeout.isOver
    }

    @Test("counts steps of any length up to twice the planned time in full")
    func fullSteps() {
        #expect(!isOver(afterSteps: []))
        #expect(!isOver(afterSteps: Array(repeating: 100, count: 9)))
        #expect(isOver(afterSteps: Array(repeating: 100, count: 10)))
        #expect(!isOver(afterSteps: Array(repeating: 10, count: 99)))
        #expect(isOver(afterSteps: Array(repeating: 10, count: 100)))
        #expect(!isOver(afterSteps: [200, 200, 200, 200, 199]))
        #expect(isOver(afterSteps: [200, 200, 200, 200, 200]))
    }

    @Test("counts a step in which the machine stood still as twice the planned time")
    func stall() {
        #expect(!isOver(afterSteps: [5000]))
        #expect(!isOver(afterSteps: [5000] + Array(repeating: 100, count: 7)))
        #expect(isOver(afterSteps: [5000] + Array(repeating: 100, count: 8)))
        #expect(!isOver(afterSteps: [5000, 5000, 5000, 5000]))
        #expect(isOver(afterSteps: [5000, 5000, 5000, 5000, 5000]))
    }

    @Test("is over when 30 s have not counted, however few steps there were")
    func tolerance() {
        #expect(!isOver(afterSteps: [30_199]))
        #expect(isOver(afterSteps: [30_200]))
        #expect(!isOver(afterSteps: [15_200, 15_199]))
        #expect(isOver(afterSteps: [15_200, 15_200]))
    }

    @Test("is over at once if the limit is zero")
    func zero() {
        let timeout = StallTolerantTimeout(
            seconds: 0, stepSeconds: 0.1, atNanoseconds: Self.start)
        #expect(timeout.isOver)
    }
}
