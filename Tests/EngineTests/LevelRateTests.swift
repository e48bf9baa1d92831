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

    /// Returns the levels of nodes by node and channel.
    private func nodeLevels(_ reports: [Report]) -> [[Int32]: [(peak: Float, rms: Float)]] {
        var levels: [[Int32]: [(peak: Float, rms: Float)]] = [:]
        for case .nodeLevel(let node, let channel, let peak, let rms) in reports {
            levels[[node, channel], default: []].append((peak, rms))
        }
        return levels
    }

    @Test(
        "levels of nodes are reported on request, at the same rate",
        arguments: [[64], [17, 61, 3]])
    func nodes(blocks: [Int]) throws {
        let playing = try playing()
        #expect(nodeLevels(reports(of: playing, blocks: blocks)).isEmpty)
        #expect(playing.engine.send(.levelRate(perSecond: 30, ofNodes: true)))
        _ = reports(of: playing, blocks: blocks)
        let watched = reports(of: playing, blocks: blocks)
        let levels = nodeLevels(watched)
        let channels = playing.schedule.pipeline.nodes[0].outputChannels
        #expect(levels.keys.count == channels)
        for channel in 0..<Int32(channels) {
            let all = try #require(levels[[0, channel]])
            #expect((30...42).contains(all.count))
            let expected = try #require(all.first?.peak)
            #expect(expected > 0)
            #expect(all.allSatisfy { $0.peak == expected && abs($0.rms - expected) < 1e-3 })
        }
        #expect(playing.engine.send(.levelRate(perSecond: 30)))
        _ = reports(of: playing, blocks: blocks)
        #expect(nodeLevels(reports(of: playing, blocks: blocks)).isEmpty)
    }

    @Test("the level of each node of a chain is that of its own output")
    func chain() throws {
        var graph = Graph()
        graph.add("double", "sum", from: ["in", "in"])
        graph.add("triple", "sum", from: ["double", "in"])
        graph.add("six", "sum", from: ["triple", "triple"])
        graph.output(from: ["six"])
        let playing = try Playing(graph.pipeline)
        #expect(playing.engine.send(.levelRate(perSecond: 30, ofNodes: true)))
        _ = reports(of: playing, blocks: [64])
        let levels = nodeLevels(reports(of: playing, blocks: [64]))
        for (node, expected) in [(Int32(0), Float(1)), (1, 1.5), (2, 3)] {
            let all = try #require(levels[[node, 0]])
            #expect(all.allSatisfy { abs($0.peak - expected) < 1e-4 })
        }
    }

    @Test(
        "the output of a tapped node can be read, frame by frame", arguments: [[64], [17, 61, 3]])
    func taps(blocks: [Int]) throws {
        var graph = Graph()
        graph.add("double", "sum", from: ["in", "in"])
        graph.add("triple", "sum", from: ["double", "in"])
        graph.output(from: ["triple"])
        let playing = try Playing(graph.pipeline)
        let ramp = (0..<20_000).map { Float($0) }
        let sound = [[Float]](repeating: ramp, count: playing.schedule.ports.inputSlots)
        #expect(playing.engine.send(.tap(slot: 0, node: 1)))
        #expect(playing.engine.send(.tap(slot: 2, node: 0)))
        _ = playing.render(sound, blocks: blocks)
        var frames = [Float](repeating: -1, count: 4096)
        #expect(playing.engine.readTap(0, into: &frames))
        #expect(frames == ramp.suffix(4096).map { 3 * $0 })
        #expect(playing.engine.readTap(2, into: &frames))
        #expect(frames == ramp.suffix(4096).map { 2 * $0 })
        // Nothing was written into the other slots.
        #expect(!playing.engine.readTap(1, into: &frames))
        // A node that does not exist is silent, and slots that do not exist are ignored.
        #expect(playing.engine.send(.tap(slot: 0, node: 99)))
        for slot: Int32 in [-1, 4, .max, .min] {
            #expect(playing.engine.send(.tap(slot: slot, node: 0)))
        }
        _ = playing.render(sound, blocks: blocks)
        #expect(playing.engine.readTap(0, into: &frames))
        #expect(frames.allSatisfy { $0 == 0 })
        #expect(playing.engine.send(.tap(slot: 0, node: -1)))
        #expect(playing.engine.send(.tap(slot: 2, node: -1)))
        let before = playing.render(sound, blocks: blocks)
        #expect(before[0].suffix(10) == ramp.suffix(10).map { 3 * $0 })
    }
}
