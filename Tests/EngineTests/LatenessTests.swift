import CRealtime
import Engine
import Testing

@Suite("Late cycles")
struct LatenessTests {
    /// What is told of one cycle of 64 frames at 48 kHz, 1.3 ms, whose node takes 20.
    private func lateness(isFreewheeling: Bool = false) throws -> [Lateness] {
        var graph = Graph()
        graph.add("fx", "dawdle", from: ["in"])
        graph.output(from: ["fx"])
        let playing = try Playing(graph.pipeline)
        var outside = RTOutside()
        outside.isFreewheeling = isFreewheeling
        playing.renderSilence(frames: 64, &outside)
        return playing.reports().compactMap {
            if case .overrun(node: 0, let lateness) = $0 { lateness } else { nil }
        }
    }

    @Test("a cycle that takes longer than it lasts is told of, with how much and where")
    func late() throws {
        let all = try lateness()
        #expect(all.count == 1)
        #expect(all.allSatisfy { $0.nodePeriods >= 15 && $0.nodePeriods <= $0.periods })
    }

    @Test("where nobody waits, nothing is late")
    func freewheeling() throws {
        #expect(try lateness(isFreewheeling: true) == [])
    }
}
