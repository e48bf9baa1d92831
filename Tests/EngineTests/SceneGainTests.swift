import Engine
import Glibc
import Pipelines
import Processing
import Testing

@Suite("Gains of scenes")
struct SceneGainTests {
    /// -6.02 dB, an amplitude of 0.5.
    private static let half = 20 * log10(0.5)

    private func pipeline(
        _ gains: [Double?], initial: Int? = nil, fadeSeconds: Double = 0
    ) -> Pipeline {
        var graph = Graph()
        graph.add("x", "late", from: ["in"], values: [1])
        graph.output(from: ["x"])
        graph.pipeline.scenes = gains.enumerated().map { index, gain in
            var scene = Pipeline.Scene(name: "\(index)", changes: [])
            scene.gainDecibels = gain
            scene.fades.seconds = fadeSeconds
            return scene
        }
        graph.pipeline.initialScene = initial
        return graph.pipeline
    }

    private let ones = [Float](repeating: 1, count: 4000)

    private func isNear(_ value: Float?, _ expected: Float) -> Bool {
        value.map { abs($0 - expected) < 1e-6 } ?? false
    }

    @Test("a scene moves the level to its gain, and one without a gain back to 0 dB")
    func moves() throws {
        let playing = try Playing(pipeline([Self.half, nil]))
        #expect(playing.render([ones])[0].allSatisfy { $0 == 1 })
        #expect(playing.engine.send(.scene(0)))
        let lower = playing.render([ones])[0]
        #expect(isNear(lower.last, 0.5))
        // 20 ms, and no step on the way.
        #expect(isNear(lower[960], 0.5))
        let steps = zip(lower, lower.dropFirst()).map { abs($1 - $0) }
        #expect((steps.max() ?? 1) < 0.001 && lower[480] < 0.9 && lower[480] > 0.6)
        #expect(playing.engine.send(.scene(1)))
        #expect(playing.render([ones])[0].last == 1)
    }

    @Test("the initial scene has its gain from the first frame on")
    func initial() throws {
        let playing = try Playing(pipeline([nil, Self.half], initial: 1))
        #expect(playing.render([ones])[0].allSatisfy { isNear($0, 0.5) })
    }

    @Test(
        "a move takes the time of the scene, however the frames are split",
        arguments: [[1], [17, 64, 5], [63]])
    func fades(blocks: [Int]) throws {
        func heard(_ blocks: [Int]) throws -> [Float] {
            let playing = try Playing(pipeline([-40], fadeSeconds: 0.05))
            #expect(playing.engine.send(.scene(0)))
            return playing.render([ones], blocks: blocks)[0]
        }
        let whole = try heard([64])
        #expect(try heard(blocks) == whole)
        // The level moves in dB, late by its steps of 20 ms each.
        let middle = 20 * log10(whole[1680])
        #expect(middle < -40 * 720 / 2400 && middle > -40 * 1680 / 2400)
        #expect(isNear(whole[2400 + 960], 0.01))
    }

    @Test("an edit moves the level only if it changes the gain of the scene in effect")
    func edits() throws {
        let playing = try Playing(pipeline([Self.half, nil]))
        #expect(playing.engine.send(.scene(0)))
        _ = playing.render([ones])
        try playing.splice(pipeline([Self.half, -30]), hasSettled: true)
        let same = playing.render([ones])[0]
        #expect(same.allSatisfy { isNear($0, 0.5) })
        try playing.splice(pipeline([-40, -30]), hasSettled: true)
        let edited = playing.render([ones])[0]
        #expect(isNear(edited.last, 0.01))
        let steps = zip(edited, edited.dropFirst()).map { abs($1 - $0) }
        #expect((steps.max() ?? 1) < 0.001)
    }

    @Test("an edit that adds the first gain, or removes the last one, does not jump")
    func firstAndLast() throws {
        let playing = try Playing(pipeline([nil]))
        #expect(playing.engine.send(.scene(0)))
        _ = playing.render([ones])
        for (gain, level) in [(Self.half as Double?, Float(0.5)), (nil, 1)] {
            try playing.splice(pipeline([gain]))
            let heard = playing.render([ones])[0] + playing.render([ones])[0]
            #expect(isNear(heard.last, level))
            let steps = zip(heard, heard.dropFirst()).map { abs($1 - $0) }
            #expect((steps.max() ?? 1) < 0.002)
        }
    }

    @Test("a pipeline whose scenes have no gain has no step for it")
    func unused() throws {
        #expect(try !Playing.schedule(pipeline([nil, nil])).plan.description.contains("level"))
        #expect(try Playing.schedule(pipeline([nil, 0])).plan.description.contains("own level"))
    }

    @Test("the gain of a song multiplies those of its scenes")
    func songs() throws {
        var song = pipeline([Self.half], initial: 0)
        song.gainDecibels = Self.half
        #expect(isNear(try Playing(song).render([ones])[0].last, 0.25))
    }
}
