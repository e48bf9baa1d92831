import CRealtime
import Engine
import Pipelines
import Processing
import Testing

@Suite("Exchange and reports")
struct ExchangeTests {
    private func scaled(by factor: Float) -> Pipeline {
        var graph = Graph()
        graph.add("fx", "late", from: ["in"], values: [factor])
        graph.output(from: ["fx"])
        return graph.pipeline
    }

    @Test("one schedule replaces another without a step, in 30 ms")
    func crossfades() throws {
        let playing = try Playing(scaled(by: 1))
        let ones = [Float](repeating: 1, count: 4800)
        #expect(playing.render([ones])[0] == ones)
        playing.ringOut(into: try Playing.schedule(scaled(by: 0.25)))
        let out = playing.render([ones])[0]
        #expect(zip(out, out.dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 < 0.002 })
        #expect(out[1500...].allSatisfy { $0 == 0.25 })
    }

    @Test(
        "exchanges in quick succession keep the level, within a hundredth",
        arguments: [100, 300, 500, 900])
    func quickExchanges(frames: Int) throws {
        let playing = try Playing(scaled(by: 1))
        let block = [Float](repeating: 1, count: frames)
        var out = playing.render([block])[0]
        for _ in 0..<3 {
            playing.ringOut(into: try Playing.schedule(scaled(by: 1)))
            out += playing.render([block])[0]
        }
        out += playing.render([[Float](repeating: 1, count: 4800)])[0]
        let lowest = try #require(out.min())
        #expect(lowest > 0.985 && out.allSatisfy { $0 < 1.001 }, "\(lowest)")
    }

    @Test("a replaced schedule is freed after it has rung out, and not before")
    func frees() throws {
        let playing = try Playing(scaled(by: 1))
        let block = [Float](repeating: 1, count: 4800)
        weak var played: Schedule?
        do {
            let second = try Playing.schedule(scaled(by: 3))
            played = second
            playing.ringOut(into: second)
        }
        #expect(playing.render([block])[0].last == 3)
        playing.ringOut(into: try Playing.schedule(scaled(by: 4)))
        #expect(playing.render([block])[0].last == 4)
        #expect(played != nil)
        playing.engine.collect()
        #expect(played == nil)
    }

    @Test(
        "any number of queued exchanges is applied in order, and the last one stays"
    )
    func manyExchanges() throws {
        let playing = try Playing(scaled(by: 0))
        let block = [Float](repeating: 1, count: 64)
        for turn in 1...300 {
            playing.ringOut(into: try Playing.schedule(scaled(by: Float(turn) / 300)))
            #expect(playing.render([block])[0].allSatisfy { (0...1).contains($0) })
            playing.engine.collect()
        }
        let rest = [Float](repeating: 1, count: 2880)
        for _ in 0..<320 {
            _ = playing.render([rest])
            playing.engine.collect()
        }
        #expect(playing.render([rest])[0].last == 1)
    }

    @Test("a command for a nonexistent node does nothing")
    func strayCommand() throws {
        let playing = try Playing(scaled(by: 1))
        playing.set(node: 7, target: 0, 5)
        playing.set(node: -1, target: 0, 5)
        let ones = [Float](repeating: 1, count: 640)
        #expect(playing.render([ones])[0] == ones)
    }

    @Test("a full command ring returns the command, and none is lost")
    func fullRing() throws {
        let playing = try Playing(scaled(by: 1))
        var taken = 0
        while playing.engine.send(.set(node: 0, target: 0, value: Float(taken % 7), frame: 0)) {
            taken += 1
        }
        #expect(taken >= 4096)
        let ones = [Float](repeating: 1, count: 64 * 40)
        #expect(playing.render([ones])[0].last == Float((taken - 1) % 7))
    }

    @Test("levels and costs are reported about twelve times per second")
    func reports() throws {
        let playing = try Playing(scaled(by: 0.5))
        _ = playing.render([[Float](repeating: -0.5, count: 48_000)])
        let reports = playing.reports()
        var inputs = 0
        for report in reports {
            switch report {
            case .inputLevel(_, let peak, let rms):
                #expect(peak == 0.5 && abs(rms - 0.5) < 1e-6)
                inputs += 1
            case .outputLevel(_, let peak, let rms): #expect(peak == 0.25 && abs(rms - 0.25) < 1e-6)
            case .load(_, let mean, let worst): #expect(mean > 0 && worst >= mean)
            default: break
            }
        }
        #expect((11...12).contains(inputs))
    }
}
