import CRealtime
import Engine
import Testing

@Suite("Late cycles")
struct LatenessTests {
    /// What is told of one cycle of 64 frames at 48 kHz, 1.3 ms, whose node takes 20.
    private func lateness(sleeping: Bool, isFreewheeling: Bool = false) throws -> [Lateness] {
        var graph = Graph()
        graph.add("fx", "dawdle", from: ["in"], values: [sleeping ? 1 : 0])
        graph.output(from: ["fx"])
        let playing = try Playing(graph.pipeline)
        var outside = RTOutside()
        outside.isFreewheeling = isFreewheeling
        playing.renderSilence(frames: 64, &outside)
        return playing.reports().compactMap {
            if case .overrun(node: 0, let lateness) = $0 { lateness } else { nil }
        }
    }

    @Test("a cycle with more work than time is told of, with how much")
    func work() throws {
        let all = try lateness(sleeping: false)
        #expect(all.count == 1)
        #expect(all.allSatisfy { $0.isOverworked && $0.workedPeriods >= 15 })
        #expect(all.allSatisfy { $0.periods >= $0.workedPeriods * 0.99 })
    }

    @Test("one that was kept waiting is told apart")
    func waiting() throws {
        let all = try lateness(sleeping: true)
        #expect(all.count == 1)
        #expect(all.allSatisfy { !$0.isOverworked && $0.periods >= 15 })
    }

    @Test("where nobody waits, nothing is late")
    func freewheeling() throws {
        #expect(try lateness(sleeping: true, isFreewheeling: true) == [])
    }
}
