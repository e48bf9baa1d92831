internal import Pipelines
internal import Processing
internal import Testing

@Suite("Scenes, bindings and addresses")
struct ControlTests {
    private let whole: Pipeline

    init() throws {
        whole = try Pipeline(
            contentsOf: TestFiles.path("Valid/everything.json"), catalogue: FakeCatalogue.catalogue)
    }

    @Test("a scene maps addresses to values")
    func scenes() {
        let verse = whole.scenes[0].changes.map { (whole.text(of: $0.address), $0.value) }
        #expect(verse.map(\.0) == ["verb.mix", "desk.mic.gain", "synth.bypass", "verb.room"])
        #expect(verse.map(\.1) == [0.1, -120, 0, 2.5])
        #expect(whole.scenes[1].changes.map(\.value) == [0, 16])
    }

    @Test("bindings have their triggers, filters and targets")
    func bindings() throws {
        #expect(
            whole.bindings.map(\.trigger) == [
                .controller(11), .controller(12), .controller(13), .note(60), .program(2), .note(0),
            ])
        #expect(whole.bindings.map(\.channel) == [nil, 16, nil, nil, nil, nil])
        #expect(whole.bindings.map(\.port) == [nil, 2, nil, nil, nil, nil])
        let gain = try whole.address("desk.mic.gain").get()
        #expect(
            whole.bindings[0].action
                == .move(
                    .node(gain), from: -60, to: 0, curve: .linear, mode: .absolute,
                    takeover: .pickup))
        #expect(whole.bindings[4].action == .scene(0))
        #expect(whole.bindings[5].action == .perform(.tapTempo))
    }

    @Test("range and curve default to the parameter's")
    func standardMovement() throws {
        let frequency = try whole.address("cut.frequency").get()
        #expect(
            whole.bindings[1].action
                == .move(
                    .node(frequency), from: 10, to: 20000, curve: .logarithmic, mode: .absolute,
                    takeover: .jump))
    }

    @Test(
        "a binding has an encoder's encoding, a controller's resolution, and a program's bank")
    func fineBindings() throws {
        let midi = """
            [{"cc": 31, "to": "a.gain", "bits": 14}, {"program": 1, "bank": 16383, "action": "panic"}, \
            {"cc": 1, "to": "a.gain", "mode": "relative", "encoding": "signed-bit", "bits": 7}]
            """
        let nodes = #"[{"id": "a", "type": "gain"}]"#
        let found = try decode(#"{"version": 1, "nodes": \#(nodes), "midi": \#(midi)}"#).bindings
        #expect(found.map(\.isFine) == [true, false, false])
        #expect(found.map(\.bank) == [nil, 16383, nil])
        #expect(found.map(\.encoding) == [.twosComplement, .twosComplement, .signedBit])
    }

    @Test("a file with bindings and no MIDI input gets one, with an unused name")
    func controlInput() throws {
        let midi = #""midi": [{"cc": 1, "action": "panic", "port": "control"}]"#
        let pipeline = try decode(#"{"version": 1, \#(midi)}"#)
        #expect(pipeline.inputs.map(\.name) == ["in", "control"])
        #expect(pipeline.inputs.last?.kind == .midi)
        #expect(pipeline.bindings.first?.port == 1)
        let taken =
            #"{"version": 1, "outputs": {"control": {"channels": 2}}, "midi": [{"cc": 1, "action": "panic"}]}"#
        #expect(try decode(taken).inputs.map(\.name) == ["in", "control-2"])
        #expect(try decode(#"{"version": 1, "midi": []}"#).inputs.map(\.name) == ["in"])
    }

    @Test(
        "typed text changes the value at its address",
        arguments: [
            ("cut.frequency", "440", 440), ("cut.shape", "peak", 4), ("verb.room", "2.5", 2.5),
            ("verb.freeze", "false", 0), ("amp.bypass", "1", 1), ("verb.freeze", "0", 0),
            ("verb.mix", "0.5", 0.5), ("synth.bypass", "true", 1),
            ("desk.synth:out_l.pan", "-1", -1), ("cut.frequency", "1e3", 1000),
        ] as [(String, String, Float)])
    func changes(address: String, text: String, value: Float) throws {
        let change = try whole.change(address: address, value: text).get()
        #expect(change.value == value)
        #expect(whole.text(of: change.address) == address)
    }

    @Test(
        "invalid typed text is refused with the reason",
        arguments: [
            ("cut.frequency", "5", nil), ("cut.frequency", "high", nil),
            ("cut.shape", "peek", "peak"),
            ("cut.shape", "1", nil), ("verb.freeze", "2", nil), ("cutt.q", "1", "cut.q"),
            ("cut.frequncy", "1", "cut.frequency"), ("cut", "1", nil), ("", "", nil),
            ("cut.", "1", nil),
            ("cut.q", "inf", nil), ("cut.q", "nan", nil),
            ("cut.q", "0x2", nil), ("cut.q", "", nil),
        ] as [(String, String, String?)])
    func changeErrors(address: String, text: String, suggestion: String?) {
        guard case .failure(let error) = whole.change(address: address, value: text) else {
            Issue.record("\(address)=\(text) was taken")
            return
        }
        #expect(error.suggestion == suggestion)
    }

    @Test(
        "a pattern must match a port's whole name",
        arguments: [
            ("system:playback_[12]", "system:playback_1", true),
            ("playback", "system:playback_1", false),
            ("(", "(", false),
        ])
    func patterns(pattern: String, port: String, matches: Bool) {
        #expect(ConnectionPattern.matches(pattern, port: port) == matches)
    }
}
