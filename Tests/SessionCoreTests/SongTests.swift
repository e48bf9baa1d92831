import Engine
import Pipelines
import SessionCore
import Testing
import TestSignals

@Suite("Songs and scenes")
struct SongTests {
    private let ones = [Float](repeating: 0.5, count: 9_600)

    private func song(_ gain: Double, _ extra: String = "") -> String {
        """
        "inputs": { "in": { "channels": 1 } }, "outputs": { "out": { "channels": 1 } },
        "nodes": [ { "id": "a", "type": "gain", "parameters": { "gain": \(gain) } }\(extra) ],
        "scenes": { "soft": { "a.gain": -12 }, "loud": { "a.gain": 0 } }, "tail": 1
        """
    }

    private let echo =
        ", { \"id\": \"echo\", \"type\": \"delay\", \"parameters\": { \"time\": 0.05, \"feedback\": 0.9 }, \"settings\": { \"maximum\": 0.1 } }"

    @Test("a neighbour is ready, and plays from the next cycle on")
    func neighbourIsReady() throws {
        let stage = try Stage(song(-20), song(0))
        _ = stage.play(ones)
        #expect(stage.ask("song", .number(2)) == .playing(song: "song 2"))
        let out = stage.play([Float](repeating: 0.5, count: 2_880))[0]
        // Within two periods, the new song is louder than the old one that fades out.
        #expect(out[127] > 1.05 * out[0] && out[0] < 0.06)
        #expect(out.last == 0.5)
        #expect(largestStep(out) < 0.002)
        #expect(stage.value("song") == .text("song 2"))
    }

    @Test("a song rings out into the next one, for its `tail`")
    func tailRings() throws {
        let stage = try Stage(song(0, echo), song(-120))
        _ = stage.play(sineWave(440, amplitude: 0.4, frames: 48_000, sampleRate: 48_000))
        _ = stage.ask("next-song")
        let out = stage.play([Float](repeating: 0, count: 96_000))[0]
        #expect(out[20_000..<25_000].map(abs).max() ?? 0 > 0.05)
        #expect(out[52_000...].allSatisfy { $0 == 0 })
        #expect(largestStep(out) < 0.2)
    }

    @Test(
        "a thousand random switches never step or accumulate, and drop only the tails that the rule allows"
    )
    func random() throws {
        let stage = try Stage(
            song(0), song(-3, echo), song(-6), song(0, echo), song(-9), preparesOnThread: true)
        var seed = 7
        for _ in 0..<1_000 {
            seed = (seed &* 1_103_515_245 &+ 12_345) & 0x7FFF_FFFF

            _ = stage.ask("song", .number(Double((seed >> 8) % 5 + 1)))
            let out = stage.play([Float](repeating: 0.1, count: 64 * (1 + seed % 5)))[0]
            #expect(largestStep(out) < 0.004)
        }
        _ = stage.ask("song", .number(1))
        for _ in 0..<200 { _ = stage.play(ones) }
        #expect(stage.value("song") == .text("song 1"))
        #expect(abs((stage.play(ones)[0].last ?? 0) - 0.5) < 1e-4)
    }

    @Test("with edits during tails, at most four schedules exist, and all edits are applied")
    func edits() throws {
        let extras = [
            "", echo, ", { \"id\": \"b\", \"type\": \"gain\" }",
            ", { \"id\": \"b\", \"type\": \"filter\" }",
        ]
        let texts = [song(0, echo), song(-3, echo), song(-6), song(-9, echo)]
        let stage = try Stage(texts[0], texts[1], texts[2], texts[3])
        var songs = stage.session.songs
        var seed = 5
        for step in 0..<600 {
            seed = (seed &* 1_103_515_245 &+ 12_345) & 0x7FFF_FFFF
            let index = (seed >> 8) % 4
            if seed >> 16 & 1 == 0 {
                _ = stage.ask("song", .number(Double(index + 1)))
            } else {
                songs[index] = try Stage.song(
                    song(-Double(step % 7), extras[(seed >> 12) % 4]), name: songs[index].name)
                stage.session.follow(songs)
            }
            _ = stage.play([Float](repeating: 0.1, count: 64 * (1 + seed % 40)))
            #expect(stage.session.scheduleCount <= 4)
        }
        for _ in 0..<40 { _ = stage.play(ones) }
        #expect(
            stage.session.active.pipeline.nodes.map(\.id) == stage.session.pipeline.nodes.map(\.id))
    }

    @Test("a scene changes the values it names, at once and without a step")
    func scene() throws {
        let stage = try Stage(song(-3))
        _ = stage.play(ones)
        #expect(stage.ask("scene", .text("soft")) == .done)
        let out = stage.play(ones)[0]
        #expect(largestStep(out) < 0.002)
        #expect(abs((out.last ?? 0) - 0.5 * 0.251189) < 1e-4)
        #expect(stage.value("a.gain") == .number(-12))
        _ = stage.ask("next-scene")
        #expect(stage.value("scene") == .text("loud"))
        _ = stage.ask("next-scene")
        #expect(stage.value("scene") == .text("loud"))
    }

    @Test("a session begins with any song and scene, and an edit keeps the scene's values")
    func start() throws {
        let songs = try [song(-20), song(-6), song(-3)].enumerated().map {
            try Stage.song($0.element, name: "song \($0.offset + 1)")
        }
        let stage = try Stage(songs, from: StartingPoint(song: 1, scene: 1))
        #expect(stage.value("song") == .text("song 2"))
        #expect(stage.value("scene") == .text("loud"))
        #expect(stage.value("a.gain") == .number(0))
        // From the first frame.
        #expect(stage.play(ones)[0] == ones)
        var edited = songs
        edited[1] = try Stage.song(song(-9, echo), name: "song 2")
        stage.session.follow(edited)
        _ = stage.play(ones + ones)
        #expect(stage.session.active.pipeline.nodes.count == 2)
        #expect(stage.value("song") == .text("song 2"))
        #expect(stage.value("scene") == .text("loud"))
        // The neighbour before it is ready, and the song returns with its old state.
        _ = stage.ask("previous-song")
        #expect(stage.value("song") == .text("song 1"))
        #expect(stage.value("a.gain") == .number(-20))
        _ = stage.play(ones)
        _ = stage.ask("next-song")
        #expect(stage.value("a.gain") == .number(-9))
        #expect(stage.value("scene") == .text("loud"))
    }

    @Test("an invalid request changes nothing, and gets a suggestion")
    func refusals() throws {
        let stage = try Stage(song(0))
        #expect(
            stage.ask("scene", .text("lowd"))
                == .refused("there is no scene lowd", suggestion: "loud"))
        #expect(
            stage.ask("pannic") == .refused("there is no address \"pannic\"", suggestion: "panic"))
        guard case .refused = stage.ask("a.gain", .number(99)) else {
            Issue.record("99 dB was taken")
            return
        }
        #expect(stage.value("a.gain") == .number(0))
    }
}
