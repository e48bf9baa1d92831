import Engine
import Pipelines
import Testing

@Suite("A change of the sample rate")
struct RateChangeTests {
    /// Returns an engine at 48 kHz with a pending schedule for 96 kHz.
    private func changing(_ graph: Graph) throws -> Playing {
        let playing = try Playing(graph.pipeline)
        _ = playing.render([[Float](repeating: 0, count: 640)])
        playing.ringOut(into: try Playing.schedule(graph.pipeline, 96_000))
        return playing
    }

    private func wire(hasLimiter: Bool = false) -> Graph {
        var graph = Graph()
        graph.output(from: ["in"], hasLimiter: hasLimiter)
        return graph
    }

    private let ones = [Float](repeating: 1, count: 19_200)

    @Test("the exchange itself takes 30 ms at the new rate")
    func exchange() throws {
        var old = Graph()
        old.add("fx", "late", from: ["in"], values: [1])
        old.output(from: ["fx"])
        var new = Graph()
        new.add("fx", "late", from: ["in"], values: [0.5])
        new.output(from: ["fx"])
        let playing = try Playing(old.pipeline)
        playing.ringOut(into: try Playing.schedule(new.pipeline, 96_000))
        let out = playing.render([ones])[0]
        let arrival = try #require(out.firstIndex(of: 0.5))
        #expect((2_800...2_880).contains(arrival))
    }

    @Test("fades keep their length in seconds at the new rate")
    func fades() throws {
        let playing = try changing(wire())
        _ = playing.render([ones])
        _ = playing.engine.fadeOut(seconds: 0.05)
        let fall = playing.render([ones])[0]
        let silence = try #require(fall.firstIndex(of: 0))
        #expect((4_700...4_800).contains(silence))
        _ = playing.engine.fadeIn(seconds: 0.05)
        let rise = playing.render([ones])[0]
        let full = try #require(rise.firstIndex(of: 1))
        #expect((4_700...4_800).contains(full))
    }

    @Test("levels are reported twelve times per second at the new rate")
    func meters() throws {
        let playing = try changing(wire())
        _ = playing.reports()
        _ = playing.render([[Float](repeating: 0.5, count: 96_000)])
        let levels = playing.reports().count {
            if case .outputLevel = $0 { true } else { false }
        }
        #expect((11...12).contains(levels))
    }

    @Test("the limiter holds for 20 ms and releases at 60 dB per second at the new rate")
    func limiter() throws {
        let playing = try changing(wire(hasLimiter: true))
        var sound = [Float](repeating: 0.125, count: 38_400)
        // 12.34 dB above the ceiling: back at full gain 226 ms later, 21,670 frames.
        sound[9_600] = 4
        let out = playing.render([sound])[0]
        let release = try #require(out[9_601...].firstIndex(of: 0.125)) - 9_600
        #expect((21_500...21_800).contains(release))
    }
}
