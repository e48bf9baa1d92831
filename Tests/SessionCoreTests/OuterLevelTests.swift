import Effects
import Engine
import Pipelines
import Processing
import SessionCore
import TestSignals
import Testing

/// A session of a setlist with an outer level, whose files are in a scratch folder.
struct OuterStage {
    let stage: Stage
    private let folder: ScratchFolder

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - outer: The keys of the outer level, with a comma at the end.
    ///   - songs: The text of each song without `version`.
    ///   - keys: Further keys of each song in the setlist, each with a comma at the beginning.
    ///   - blockFrames: The frames per block.
    /// - Throws: The errors of the files, or the reason why a song cannot be prepared.
    init(_ outer: String, songs: [String], keys: [String] = [], blockFrames: Int = 64) throws {
        folder = ScratchFolder()
        for (index, song) in songs.enumerated() {
            folder.write("{ \"version\": 1, \(song) }", to: "\(index + 1).json")
        }
        let entries = songs.indices.map { index in
            "{ \"name\": \"song \(index + 1)\", \"pipeline\": \"\(index + 1).json\"\(index < keys.count ? keys[index] : "") }"
        }
        self.entries = entries.joined(separator: ", ")
        stage = try Stage(
            Self.collection(outer, self.entries, folder).songs, blockFrames: blockFrames,
            catalogue: Self.catalogue)
    }

    private let entries: String

    static let catalogue = Catalogue(
        effects: EffectCatalogue.effects + [LatencyEffect.effect], plugins: NoPlugins())

    private static func collection(
        _ outer: String, _ entries: String, _ folder: ScratchFolder
    ) throws -> SongCollection {
        let text = "{ \"version\": 1, \"setlist\": \"outer\", \(outer) \"songs\": [ \(entries) ] }"
        let path = folder.path + "/outer.json"
        return SongCollection(
            try PipelineFile(decoding: Array(text.utf8), file: path, catalogue: catalogue),
            path: path)
    }

    /// Edits the outer level while the session plays.
    func edit(_ outer: String) throws {
        stage.session.follow(try Self.collection(outer, entries, folder).songs)
    }

    func play(_ sound: [Float]) -> [[Float]] { stage.play(sound) }

    /// Plays a sound, and requests songs at frames of it.
    func play(_ sound: [Float], requests: [(frame: Int, address: String)]) -> [[Float]] {
        var outputs: [[Float]] = []
        var done = 0
        for (frame, address) in requests + [(sound.count, "")] {
            let part = stage.play(Array(sound[done..<frame]))
            outputs = outputs.isEmpty ? part : zip(outputs, part).map(+)
            done = frame
            if !address.isEmpty { _ = stage.ask(address) }
        }
        return outputs
    }

    /// Returns the samples of an output's first channel.
    func channel(_ name: String, of outputs: [[Float]]) throws -> [Float] {
        let output = try #require(stage.session.ports.outputs.first { $0.name == name })
        return outputs[output.slots[0]]
    }
}

@Suite("Nodes of a setlist around its songs")
struct OuterLevelTests {
    private static let through =
        "\"inputs\": { \"in\": {} }, \"outputs\": { \"out\": { \"from\": \"in\", \"limiter\": false } }"
    private let out = "\"outputs\": { \"out\": { \"limiter\": false } },"
    private let tenths = [Float](repeating: 0.1, count: 24_000)

    private var noise: [Float] {
        var state: UInt32 = 1
        return (0..<48_000).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Float(state >> 8) / Float(1 << 24) - 0.5
        }
    }

    /// A song with one node.
    private func song(_ node: String) -> String {
        "\"inputs\": { \"in\": {} }, \"outputs\": { \"out\": { \"limiter\": false } }, \"nodes\": [ { \"id\": \"own\", \(node) } ], \"tail\": 4"
    }

    private func gain(_ decibels: Double) -> String {
        song("\"type\": \"gain\", \"parameters\": { \"gain\": \(decibels) }")
    }

    @Test("a node after the songs keeps its echoes over a change, exact to the bit")
    func echoes() throws {
        let outer =
            "\"after\": [ { \"id\": \"echo\", \"type\": \"delay\", \"parameters\": { \"time\": 0.02, \"feedback\": 0.8 } } ], \(out)"
        let songs = [Self.through, Self.through, Self.through]
        let still = try OuterStage(outer, songs: songs).play(noise)
        let changing = try OuterStage(outer, songs: songs).play(
            noise,
            requests: [(9_600, "next-song"), (19_200, "next-song"), (28_800, "previous-song")])
        #expect(still == changing)
        #expect((still[0].map(abs).max() ?? 0) > 0.5)
    }

    @Test("a path around the songs is neither shifted nor changed by songs with other latencies")
    func talkback() throws {
        let outer =
            "\"inputs\": { \"talk\": {} }, \"after\": [ { \"id\": \"talk-gain\", \"type\": \"gain\", \"from\": \"talk\", \"parameters\": { \"gain\": -6 } }, { \"id\": \"bus\", \"type\": \"mixer\", \"from\": [ \"talk-gain\", \"out\" ], \"settings\": { \"channels\": 1 } } ], \"outputs\": { \"out\": { \"limiter\": false }, \"monitor\": { \"from\": \"talk-gain\", \"limiter\": false } },"
        func late(_ frames: Int) -> String {
            song("\"type\": \"late\", \"settings\": { \"frames\": \(frames) }")
        }
        let songs = [late(0), late(777), late(64)]
        let changing = try OuterStage(outer, songs: songs)
        let outputs = changing.play(
            noise, requests: [(9_600, "next-song"), (24_000, "next-song")])
        let still = try OuterStage(outer, songs: songs)
        #expect(
            try changing.channel("monitor", of: outputs)
                == still.channel("monitor", of: still.play(noise)))
        let plan = changing.stage.session.active.plan
        let bus = try #require(
            changing.stage.session.active.pipeline.nodes.firstIndex { $0.id == "bus" })
        #expect(plan.nodes[bus].inputLatencyFrames == 64)
        let talk = plan.wires[.node(bus, input: 0)]
        #expect(talk?.map(\.delayFrames) == [0])
    }

    @Test("the tail of the song that was left goes through the nodes after the songs")
    func tail() throws {
        let outer =
            "\"after\": [ { \"id\": \"trim\", \"type\": \"gain\", \"parameters\": { \"gain\": -20 } } ], \(out)"
        let echo = song(
            "\"type\": \"delay\", \"parameters\": { \"time\": 0.1, \"feedback\": 0.9 }")
        let stage = try OuterStage(outer, songs: [echo, gain(0)])
        var click = [Float](repeating: 0, count: 48_000)
        click[0] = 1
        let sound = stage.play(click, requests: [(9_600, "next-song")])[0]
        #expect(abs(sound[4_800] - 0.1) < 1e-4)
        // Echoes of the song that was left, at their times and with the gain of the outer node.
        #expect(abs(sound[14_400] - 0.081) < 1e-3)
        #expect(abs(sound[19_200] - 0.0729) < 1e-3)
        #expect(stage.stage.session.song == 1)
    }

    @Test("a change of songs has no step, and ends at the gain of the new song")
    func noStep() throws {
        let outer =
            "\"after\": [ { \"id\": \"trim\", \"type\": \"gain\" } ], \(out)"
        let stage = try OuterStage(
            outer, songs: [gain(0), gain(0)], keys: ["", ", \"gain\": 20"])
        let hundredths = tenths.map { $0 / 10 }
        let sound = stage.play(hundredths, requests: [(9_600, "next-song")])[0]
        #expect(sound[..<9_600].allSatisfy { $0 == 0.01 })
        #expect(abs((sound.last ?? 0) - 0.1) < 1e-5)
        #expect(largestStep(sound) < 0.002)
    }

    @Test("the gain of a song does not change what goes around it")
    func gainOfSong() throws {
        let outer =
            "\"inputs\": { \"talk\": {} }, \"outputs\": { \"monitor\": { \"from\": \"talk\", \"limiter\": false } },"
        let stage = try OuterStage(
            outer, songs: [gain(0), gain(0)], keys: ["", ", \"gain\": 12"])
        let outputs = stage.play(tenths, requests: [(9_600, "next-song")])
        #expect(try stage.channel("monitor", of: outputs).allSatisfy { $0 == 0.1 })
        #expect(abs((try stage.channel("out", of: outputs).last ?? 0) - 0.39811) < 1e-3)
    }

    @Test("nodes before the songs process the input of each song")
    func before() throws {
        let outer =
            "\"inputs\": { \"in\": { \"songs\": \"pad\" } }, \"before\": [ { \"id\": \"pad\", \"type\": \"gain\", \"parameters\": { \"gain\": -20 } } ],"
        let stage = try OuterStage(outer, songs: [Self.through, gain(6)])
        let first = stage.play(tenths)[0]
        #expect(first.allSatisfy { abs($0 - 0.01) < 1e-6 })
        _ = stage.stage.ask("next-song")
        #expect(abs((stage.play(tenths)[0].last ?? 0) - 0.019953) < 1e-5)
    }

    @Test("live values of outer nodes remain when the song changes, and belong to no song")
    func values() throws {
        let outer =
            "\"after\": [ { \"id\": \"trim\", \"type\": \"gain\" } ], \(out)"
        let stage = try OuterStage(outer, songs: [gain(0), gain(0)])
        _ = stage.play(tenths)
        #expect(stage.stage.ask("trim.gain", .number(-20)) == .done)
        #expect(stage.stage.ask("own.gain", .number(-6)) == .done)
        _ = stage.play(tenths)
        _ = stage.stage.ask("next-song")
        #expect(abs((stage.play(tenths)[0].last ?? 0) - 0.01) < 1e-6)
        #expect(stage.stage.value("trim.gain") == .number(-20))
        #expect(stage.stage.value("own.gain") == .number(0))
        _ = stage.stage.ask("trim.gain", .number(-40))
        _ = stage.play(tenths)
        _ = stage.stage.ask("previous-song")
        #expect(abs((stage.play(tenths)[0].last ?? 0) - 0.000501) < 1e-5)
        #expect(stage.stage.value("trim.gain") == .number(-40))
        #expect(stage.stage.value("own.gain") == .number(-6))
    }

    @Test("a fade of an outer node continues over a change of songs")
    func fade() throws {
        let outer = "\"after\": [ { \"id\": \"trim\", \"type\": \"gain\" } ], \(out)"
        let stage = try OuterStage(outer, songs: [Self.through, gain(0)])
        _ = stage.play(tenths)
        guard
            case .done = stage.stage.session.perform(
                .fade("trim.gain", .number(-40), seconds: 1))
        else {
            Issue.record("no fade")
            return
        }
        _ = stage.play(Array(tenths.prefix(9_600)))
        _ = stage.stage.ask("next-song")
        let middle = stage.play(Array(tenths.prefix(9_600)))[0].last ?? 0
        #expect(middle > 0.002 && middle < 0.09)
        let end = stage.play(tenths + tenths)[0].last ?? 0
        #expect(abs(end - 0.001) < 1e-5)
    }

    @Test("the outer level can be edited while it plays, also around a change of songs")
    func edits() throws {
        let one = "{ \"id\": \"one\", \"type\": \"gain\", \"parameters\": { \"gain\": -6 } }"
        let two = "{ \"id\": \"two\", \"type\": \"gain\", \"parameters\": { \"gain\": -14 } }"
        let stage = try OuterStage("\"after\": [ \(one) ], \(out)", songs: [gain(0), gain(0)])
        #expect(abs((stage.play(tenths)[0].last ?? 0) - 0.0501187) < 1e-5)
        try stage.edit("\"after\": [ \(one), \(two) ], \(out)")
        _ = stage.stage.ask("next-song")
        let both = stage.play(tenths)[0]
        #expect(abs((both.last ?? 0) - 0.01) < 1e-5)
        #expect(largestStep(both) < 0.002)
        #expect(stage.stage.session.song == 1)
        try stage.edit("\"after\": [ \(two) ], \(out)")
        #expect(abs((stage.play(tenths)[0].last ?? 0) - 0.0199526) < 1e-5)
        _ = stage.stage.ask("previous-song")
        #expect(abs((stage.play(tenths)[0].last ?? 0) - 0.0199526) < 1e-5)
        try stage.edit("")
        #expect(abs((stage.play(tenths)[0].last ?? 0) - 0.1) < 1e-5)
        _ = stage.stage.ask("next-song")
        #expect(abs((stage.play(tenths)[0].last ?? 0) - 0.1) < 1e-5)
    }

    @Test(
        "fast changes of songs neither pile up nor stop the outer nodes", arguments: [16, 64, 512])
    func fastChanges(blockFrames: Int) throws {
        let outer = "\"after\": [ { \"id\": \"trim\", \"type\": \"gain\" } ], \(out)"
        let echo = song(
            "\"type\": \"delay\", \"parameters\": { \"time\": 0.05, \"feedback\": 0.5 }, \"mix\": 0.5"
        )
        let stage = try OuterStage(
            outer, songs: [echo, gain(0), echo], blockFrames: blockFrames)
        _ = stage.play(tenths)
        for turn in 0..<60 {
            _ = stage.stage.ask(turn % 3 == 2 ? "previous-song" : "next-song")
            _ = stage.play([Float](repeating: 0.1, count: 300))
            #expect(stage.stage.session.scheduleCount <= 4)
            #expect(stage.stage.session.active.nodeIDs.count <= 6)
        }
        _ = stage.stage.session.perform(.set("song", .text("song 2")))
        let sound = stage.play(tenths + tenths)[0]
        #expect(abs((sound.last ?? 0) - 0.1) < 1e-5)
        #expect(stage.stage.session.song == 1)
    }

    @Test("after the tails are over, only the nodes of the song and of the setlist remain")
    func settled() throws {
        let outer = "\"after\": [ { \"id\": \"trim\", \"type\": \"gain\" } ], \(out)"
        let stage = try OuterStage(outer, songs: [gain(0), Self.through])
        _ = stage.play(tenths, requests: [(4_800, "next-song")])
        for _ in 0..<8 { _ = stage.play(tenths) }
        #expect(stage.stage.session.active.nodeIDs == ["trim"])
        #expect(stage.play(tenths)[0].allSatisfy { $0 == 0.1 })
    }

    @Test("comparing with the saved values and changing the song keeps the live outer values")
    func compared() throws {
        let outer = "\"after\": [ { \"id\": \"trim\", \"type\": \"gain\" } ], \(out)"
        let stage = try OuterStage(outer, songs: [gain(0), gain(0)])
        _ = stage.play(tenths)
        _ = stage.stage.ask("trim.gain", .number(-20))
        #expect(stage.stage.ask("compare") == .compared(.saved))
        _ = stage.play(tenths)
        _ = stage.stage.ask("next-song")
        #expect(abs((stage.play(tenths)[0].last ?? 0) - 0.01) < 1e-6)
    }
}
