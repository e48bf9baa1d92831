internal import Pipelines
internal import Processing
internal import Testing

/// The results of decoding valid files.
@Suite("Decoding")
struct PipelineTests {
    private let whole: Pipeline

    init() throws {
        whole = try Pipeline(
            contentsOf: TestFiles.path("Valid/everything.json"), catalogue: FakeCatalogue.catalogue)
    }

    private func node(_ id: String) throws -> Pipeline.Node {
        try #require(whole.nodes.first { $0.id == id })
    }

    private func value(_ address: String) throws -> Float {
        let found = try whole.address(address).get()
        guard case .parameter(let index) = found.target else { return .nan }
        return whole.nodes[found.node].values[index]
    }

    @Test("an empty pipeline passes two channels from its input to its output")
    func least() throws {
        let least = try decode(#"{"version": 1}"#)
        #expect(least.name == "test")
        #expect(least.inputs.map(\.name) == ["in"])
        #expect(least.inputs.map(\.channels) == [2])
        #expect(least.inputs.map(\.kind) == [.audio])
        let taps = [0, 1].map { Pipeline.Tap(.input(0), channel: $0) }
        #expect(least.outputs.map(\.name) == ["out"])
        #expect(least.outputs.map(\.taps) == [taps])
        #expect(least.outputs.map(\.hasLimiter) == [true])
        #expect(least.nodes.isEmpty && least.scenes.isEmpty && least.bindings.isEmpty)
        #expect((least.tempo, least.tailSeconds) == (120, 4))
    }

    @Test("inputs keep their order, kinds, channels and connections")
    func inputs() {
        #expect(whole.inputs.map(\.name) == ["mic", "line", "keys"])
        #expect(whole.inputs.map(\.channels) == [1, 2, 0])
        #expect(whole.inputs.map(\.kind) == [.audio, .audio, .midi])
        #expect(whole.inputs[0].connect == [.port("system:capture_1")])
        #expect(whole.inputs[1].connect == [.pattern("system:capture_[23]")])
    }

    @Test("an empty connection leaves its channel alone")
    func emptyConnection() throws {
        let text = """
            {"version": 1, "inputs": {"in": {"channels": 2, "connect": ["", "system:capture_2"]}}}
            """
        let pipeline = try Pipeline(
            decoding: Array(text.utf8), file: "x.json", catalogue: FakeCatalogue.catalogue)
        #expect(pipeline.inputs[0].connect == [.nothing, .port("system:capture_2")])
        #expect(pipeline.inputs[0].connect.map(\.text) == ["", "system:capture_2"])
    }

    @Test("outputs are fed by the last node, by mono on both channels, or by their `from`")
    func outputs() {
        let desk = Pipeline.Source.node(5)
        #expect(whole.outputs.map(\.hasLimiter) == [true, false, true, false])
        #expect(
            whole.outputs[0].taps == [.init(.node(7), channel: 0), .init(.node(7), channel: 1)])
        #expect(whole.outputs[1].taps == [.init(.input(0), channel: 0)])
        #expect(
            whole.outputs[2].taps == [
                .init(desk, channel: 0), .init(desk, channel: 1), .init(.node(2), channel: 1),
                .init(.input(1), channel: 0),
            ])
        #expect(whole.outputs[3].taps == [])
    }

    @Test("name, scenes and the other top-level keys are decoded")
    func top() {
        #expect(whole.name == "Everything")
        #expect(whole.summary == "Every key of the format, “quoted” and éscaped")
        #expect(whole.scenes.map(\.name) == ["verse", "chorus", "empty"])
        #expect(whole.initialScene == 1)
        #expect((whole.tempo, whole.tailSeconds) == (97.5, 0))
    }

    @Test("the file's values override the preset's, which override the defaults")
    func values() throws {
        #expect(try node("verb").values == [2.5, 2, 7, 1, 12000])
        #expect(try node("cut").values == [1, 120, 0, 0.1, 5])
        #expect(try value("desk.gain") == -6)
        #expect(try value("desk.verb.gain") == -3)
        #expect(try value("desk.mic.pan") == -0.5)
        #expect(try value("desk.synth:out_l.mute") == 1)
        #expect(try value("desk.duck.solo") == 1)
        #expect(try value("desk.late.solo") == 0)
    }

    @Test(
        "a path in a setting is relative to the file's folder",
        arguments: [
            ("songs/p.json", "take.wav", "songs/take.wav"), ("p.json", "a/take.wav", "a/take.wav"),
            ("/songs/p.json", "../take.wav", "/songs/../take.wav"),
            ("/songs/p.json", "/take.wav", "/take.wav"),
        ])
    func path(_ file: String, _ path: String, _ resolved: String) throws {
        let text = """
            { "version": 1, "nodes": [
              { "id": "r", "type": "recorder", "settings": { "file": "\(path)" } }] }
            """
        var catalogue = FakeCatalogue.catalogue
        catalogue.permissions.outsideFolder = true
        let pipeline = try Pipeline(decoding: Array(text.utf8), file: file, catalogue: catalogue)
        #expect(pipeline.nodes[0].settings == ["file": .text(resolved)])
    }

    @Test("settings, bypass, mix, isolation and events are decoded")
    func rest() throws {
        #expect(try node("desk").settings == ["channels": .number(2), "pan-law": .number(-4.5)])
        #expect(try node("verb").settings == ["preset": .text("Hall")])
        #expect(whole.nodes.map(\.isBypassed).filter { $0 }.count == 1)
        #expect(try node("verb").mix == 0.35)
        #expect(whole.nodes.map(\.isolation).prefix(3) == [.none, .process, .sameCycle])
        #expect(whole.nodes.map { $0.sandbox == .off }.prefix(3) == [false, true, false])
        #expect(try node("synth").events == 2)
    }

    @Test("a range in multiples of the sample rate is shown in hertz", arguments: [44100.0, 96000])
    func scaledRange(rate: Double) throws {
        let text = pipeline(nodes: #"{"id": "v", "type": "lv2", "uri": "urn:fake:reverb"}"#)
        let damp = try #require(try decode(text, sampleRate: rate).nodes.first?.parameters.last)
        #expect(damp.range == Float(rate / 1000)...Float(rate / 2))
        #expect(damp.defaultValue == 6000)
        #expect(!damp.rangeScalesWithRate)
    }

    @Test("a missing file is unreadable")
    func missingFile() {
        #expect {
            try Pipeline(
                contentsOf: TestFiles.path("Valid/none.json"), catalogue: FakeCatalogue.catalogue)
        } throws: { error in
            let invalid = error as? InvalidPipeline
            return invalid?.isUnreadable == true && invalid?.diagnostics.map(\.code) == [.file]
        }
    }

    @Test("missing plugins are distinguished from other errors")
    func missingPlugins() {
        let missing = #"{"id": "a", "type": "lv2", "uri": "urn:none"}"#
        for (nodes, lacksOnlyPlugins) in [
            (missing, true), (missing + #", {"id": "b", "type": "none"}"#, false),
        ] {
            #expect {
                try decode(pipeline(nodes: nodes))
            } throws: { error in
                (error as? InvalidPipeline)?.lacksOnlyPlugins == lacksOnlyPlugins
            }
        }
    }
}
