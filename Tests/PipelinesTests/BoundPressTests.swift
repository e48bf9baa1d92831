internal import Pipelines
internal import Processing
internal import Testing

@Suite("Presses, lists, cues and keys of bindings")
struct BoundPressTests {
    private func bindings(_ midi: String) throws -> [Pipeline.Binding] {
        try decode(
            """
            { "version": 1, "nodes": [ { "id": "a", "type": "gain" } ],
              "scenes": { "verse": {}, "chorus": {} }, "midi": [ \(midi) ] }
            """
        ).bindings
    }

    @Test("a press is short, long or double, with times that have defaults")
    func presses() throws {
        let found = try bindings(
            """
            { "note": 1, "action": "panic" }, { "note": 1, "action": "panic", "press": "short" },
            { "note": 1, "action": "panic", "press": "long" },
            { "note": 1, "action": "panic", "press": "long", "hold": 2 },
            { "cc": 1, "to": "a.mute", "mode": "toggle", "press": "double", "guard": 0.3 },
            { "program": 1, "scene": "verse", "press": "double", "window": 0.2 }
            """)
        #expect(
            found.map(\.press) == [
                .short, .short, .long(holdSeconds: 0.5), .long(holdSeconds: 2),
                .double(windowSeconds: 0.3), .double(windowSeconds: 0.2),
            ])
        #expect(found.map(\.guardSeconds) == [0, 0, 0, 0, 0.3, 0])
    }

    @Test("lists of scenes and values wrap unless they say otherwise, actions do not")
    func lists() throws {
        let found = try bindings(
            """
            { "note": 1, "cycle": ["chorus", "verse"] },
            { "note": 1, "cycle": ["verse", "chorus"], "wrap": false },
            { "note": 1, "to": "a.gain", "values": [0, -6, -12] },
            { "note": 1, "to": "a.mute", "values": [true, false], "wrap": false },
            { "note": 1, "action": "next-song" },
            { "note": 1, "action": "previous-scene", "wrap": true }
            """)
        let gain = Pipeline.Address(node: 0, target: .parameter(0))
        let mute = Pipeline.Address(node: 0, target: .parameter(2))
        #expect(
            found.map(\.action) == [
                .cycleScenes([1, 0]), .cycleScenes([0, 1]),
                .cycle(.node(gain), values: [0, -6, -12]),
                .cycle(.node(mute), values: [1, 0]), .perform(.nextSong), .perform(.previousScene),
            ])
        #expect(found.map(\.wraps) == [true, false, true, false, false, true])
    }

    @Test("several addresses become bindings of one control, each with its range")
    func addresses() throws {
        let found = try bindings(
            """
            { "cc": 1, "channel": 4, "takeover": "pickup", "to": [
              { "address": "a.gain", "range": [-60, 0], "taper": "audio" },
              { "address": "a.mix", "range": [1, 0] }, { "address": "a.pan" } ] }
            """)
        #expect(found.map(\.trigger) == [.controller(1), .controller(1), .controller(1)])
        #expect(found.map(\.channel) == [4, 4, 4])
        #expect(found.map(\.taper) == [.audio, .none, .none])
        let ends = found.map { binding -> [Float] in
            guard case .move(_, let from, let to, _, .absolute, .pickup) = binding.action else {
                return []
            }
            return [from, to]
        }
        #expect(ends == [[-60, 0], [1, 0], [-1, 1]])
    }

    @Test("the audio taper ends at 0 dB unless the binding has a range")
    func taper() throws {
        let found = try bindings(
            #"{ "cc": 1, "to": "a.gain", "taper": "audio" }, { "cc": 1, "to": "a.mix", "taper": "audio" }"#
        )
        let ends = found.map { binding -> [Float] in
            guard case .move(_, let from, let to, _, _, _) = binding.action else { return [] }
            return [from, to]
        }
        #expect(ends == [[-120, 0], [0, 1]])
    }

    @Test("a cue names a player and an item that the player has")
    func cues() throws {
        func decoded(_ cue: String) throws -> [Pipeline.Binding] {
            try decode(
                """
                { "version": 1, "inputs": {}, "nodes": [ { "id": "fx", "type": "player",
                  "settings": { "files": ["a.wav", "b.wav"] } }, { "id": "a", "type": "gain" } ],
                  "midi": [ { "note": 51, "cue": "\(cue)" } ] }
                """
            ).bindings
        }
        let cue = Pipeline.Binding.Cue(node: 0, item: 2, itemParameter: 5, startParameter: 4)
        #expect(try decoded("fx:2").map(\.action) == [.cue(cue)])
        #expect(try decoded("fx") == decoded("fx:1"))
        for (name, suggestion) in [
            ("fx:3", nil), ("fx:0", nil), ("fx:", nil), ("fx:1:1", nil), ("a:1", "fx"), ("", nil),
        ] as [(String, String?)] {
            let error = #expect(throws: InvalidPipeline.self) { try decoded(name) }
            #expect(error?.diagnostics.count == 1, "\(name)")
            if let suggestion { #expect(error?.diagnostics.first?.suggestion == suggestion) }
        }
    }

    @Test("pitch bend and pressure are triggers")
    func positions() throws {
        let found = try bindings(
            """
            { "bend": true, "to": "a.pan" }, { "pressure": true, "channel": 2, "to": "a.gain" },
            { "key-pressure": 60, "to": "a.gain" }
            """)
        #expect(found.map(\.trigger) == [.bend, .channelPressure, .keyPressure(60)])
    }

    @Test("computer keys have names, and need no MIDI input")
    func keys() throws {
        let text = """
            { "version": 1, "midi": [ { "key": "space", "action": "panic" },
              { "key": "G", "action": "mute", "guard": 1 }, { "key": "f12", "action": "panic" } ] }
            """
        let pipeline = try decode(text)
        #expect(pipeline.boundKeys.map(\.name) == ["space", "G", "f12"])
        #expect(pipeline.inputs.map(\.name) == ["in"])
        for number in 0...127 {
            guard let key = ComputerKey(number: number) else { continue }
            #expect(ComputerKey(key.name)?.number == number)
        }
        #expect(ComputerKey("é") == nil && ComputerKey("") == nil && ComputerKey(" ") == nil)
    }

    @Test("a setlist's list of addresses moves those that a song has")
    func setlist() throws {
        let text = """
            { "version": 1, "setlist": "x", "songs": [ { "pipeline": "everything.json" } ],
              "midi": [ { "cc": 1, "to": [ { "address": "verb.mix" }, { "address": "no.gain" } ] },
                        { "note": 1, "cycle": ["verse", "nowhere"] } ] }
            """
        let error = #expect(throws: InvalidPipeline.self) {
            try PipelineFile(
                decoding: Array(text.utf8), file: TestFiles.path("Valid/none.json"),
                catalogue: FakeCatalogue.catalogue)
        }
        let messages = error?.diagnostics.map(\.message) ?? []
        #expect(messages.contains("no song has the address \"no.gain\""))
        #expect(messages.contains("no song has the scene \"nowhere\""))
        #expect(!messages.contains { $0.contains("verb.mix") })
    }
}
