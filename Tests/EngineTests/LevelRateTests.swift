import Engine
import Pipelines
import Testing

@Suite("Level rate")
struct LevelRateTests {
    private func playing() throws -> Playing {
        var graph = Graph()
        graph.add("fast", "sum", from: ["in"])
        graph.output(from: ["fast"])
        return try Playing(graph.pipeline)
    }

    /// Returns the reports while one second of a constant sound is rendered.
    private func reports(of playing: Playing, blocks: [Int]) -> [Report] {
        let sound = [[Float]](
            repeating: Array(repeating: 0.5, count: 48_000),
            count: playing.schedule.ports.inputSlots)
        _ = playing.render(sound, blocks: blocks)
        return playing.reports()
    }

    private func levelCount(_ reports: [Report]) -> Int {
        reports.count { if case .inputLevel(channel: 0, _, _) = $0 { true } else { false } }
    }

    private func loadCount(_ reports: [Report]) -> Int {
        reports.count { if case .totalLoad = $0 { true } else { false } }
    }

    @Test("only levels are reported more often on request", arguments: [[64], [17, 61, 3]])
    func rate(blocks: [Int]) throws {
        let playing = try playing()
        let usual = reports(of: playing, blocks: blocks)
        #expect(levelCount(usual) == loadCount(usual))
        #expect((11...12).contains(levelCount(usual)))
        #expect(playing.engine.send(.levelRate(perSecond: 30)))
        let watched = reports(of: playing, blocks: blocks)
        // The levels of the usual reports come in between.
        #expect((30...42).contains(levelCount(watched)))
        #expect((11...13).contains(loadCount(watched)))
        #expect(playing.engine.send(.levelRate(perSecond: 0)))
        let after = reports(of: playing, blocks: blocks)
        #expect(levelCount(after) == loadCount(after))
    }

    @Test("the mean of a constant sound is the same at each rate")
    func mean() throws {
        let playing = try playing()
        for rate: Int32 in [0, 30, 60, .max, .min] {
            #expect(playing.engine.send(.levelRate(perSecond: rate)))
            let levels = reports(of: playing, blocks: [64]).compactMap {
                if case .inputLevel(channel: 0, let peak, let rms) = $0 {
                    [peak, rms]
                } else {
                    [Float]?.none
                }
            }
            #expect(!levels.isEmpty)
            #expect(levels.allSatisfy { $0[0] == 0.5 && abs($0[1] - 0.5) < 1e-4 })
        }
    }
}
