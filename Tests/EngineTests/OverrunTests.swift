import CRealtime
import Engine
import Pipelines
import Testing

@Suite("Overruns")
struct OverrunTests {
    /// Returns a pipeline with one node that takes 20 ms per cycle, or one that takes no time.
    private func pipeline(dawdling: Bool) -> Pipeline {
        var graph = Graph()
        if dawdling {
            graph.add("slow", "dawdle", from: ["in"])
        } else {
            graph.add("fast", "sum", from: ["in"])
        }
        graph.output(from: [dawdling ? "slow" : "fast"])
        return graph.pipeline
    }

    /// Returns the overruns reported for one cycle of 64 frames at 48 kHz, 1.3 ms.
    private func overruns(of playing: Playing, isFreewheeling: Bool = false) -> [Overrun] {
        var engineCall = RTEngineCall()
        engineCall.isFreewheeling = isFreewheeling
        playing.renderSilence(frames: 64, &engineCall)
        return playing.reports().compactMap {
            if case .overrun(_, let overrun) = $0 { overrun } else { nil }
        }
    }

    @Test("a cycle that takes longer than its period is reported with its excess and its node")
    func late() throws {
        let playing = try Playing(pipeline(dawdling: true))
        let all = overruns(of: playing)
        #expect(all.count == 1)
        #expect(
            all.allSatisfy {
                $0.nodePeriods >= 15 && $0.nodePeriods <= $0.playingPeriods
                    && $0.playingPeriods <= $0.periods && $0.ringingPeriods == 0
            })
    }

    @Test("there are no overruns while freewheeling")
    func freewheeling() throws {
        let playing = try Playing(pipeline(dawdling: true))
        #expect(overruns(of: playing, isFreewheeling: true) == [])
    }

    @Test("a previous song that rings out is not reported as the active one")
    func ringingSong() throws {
        let playing = try Playing(pipeline(dawdling: true))
        playing.ringOut(into: try Playing.schedule(pipeline(dawdling: false)), tailSeconds: 1)
        expectRinging(overruns(of: playing))
    }

    @Test("a removed node that rings out is not reported as the active one")
    func ringingNode() throws {
        let playing = try Playing(pipeline(dawdling: true))
        try playing.splice(pipeline(dawdling: false))
        expectRinging(overruns(of: playing))
    }

    private func expectRinging(_ all: [Overrun]) {
        #expect(all.count == 1)
        #expect(
            all.allSatisfy {
                $0.ringingPeriods >= 15 && $0.ringingPeriods <= $0.periods
                    && $0.playingPeriods < $0.ringingPeriods
            })
    }
}
