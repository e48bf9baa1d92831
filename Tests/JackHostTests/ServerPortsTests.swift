import JackHost
import Pipelines
import SessionCore
import Testing

struct ServerPortsTests {
    private let ports = ServerPorts([
        .init(name: "system:capture_1", kind: .audio, isForInputs: true, isPhysical: true),
        .init(name: "system:capture_2", kind: .audio, isForInputs: true, isPhysical: true),
        .init(name: "system:playback_1", kind: .audio, isForInputs: false, isPhysical: true),
        .init(name: "pedals:out", kind: .midi, isForInputs: true),
    ])

    @Test("rules that match a port are not listed")
    func matched() {
        let pipeline = Pipeline.chain(
            connectInput: [.port("system:capture_2")], connectOutput: [.pattern("system:play.*")])
        #expect(ports.unmatchedRules(of: pipeline) == [])
    }

    @Test("a misspelt rule is listed with its place and the most similar port")
    func misspelt() throws {
        let pipeline = Pipeline.chain(connectOutput: [.port("sytem:playback_1")])
        let rules = ports.unmatchedRules(of: pipeline)
        let rule = try #require(rules.first)
        #expect(rules.count == 1)
        #expect(rule.signal == "main")
        #expect(!rule.isInput)
        #expect(rule.index == 0)
        #expect(rule.text == "sytem:playback_1")
        #expect(rule.matchesNothing)
        #expect(rule.nearest == "system:playback_1")
        #expect(rule.unsuitable == nil)
    }

    @Test("only ports of the right direction and kind count")
    func direction() {
        let pipeline = Pipeline.chain(
            connectInput: [.port("system:playback_1"), .port("pedals:out")])
        let rules = ports.unmatchedRules(of: pipeline)
        #expect(rules.map(\.index) == [0, 1])
        #expect(rules.map(\.unsuitable?.kind) == [.audio, .midi])
        #expect(rules.map(\.unsuitable?.isForInputs) == [false, true])
    }

    @Test("a MIDI input is compared with MIDI ports")
    func midi() {
        var pipeline = Pipeline.chain()
        pipeline.inputs.append(
            .init(name: "control", channels: 0, kind: .midi, connect: [.port("pedal:out")]))
        #expect(ports.unmatchedRules(of: pipeline).map(\.nearest) == ["pedals:out"])
    }

    @Test("an expression for MIDI waits for a controller if there is no MIDI port")
    func waiting() {
        let silent = ServerPorts(ports.ports.filter { $0.kind == .audio })
        var pipeline = Pipeline.chain()
        pipeline.inputs.append(
            .init(name: "control", channels: 0, kind: .midi, connect: [.pattern("pads.*")]))
        #expect(silent.unmatchedRules(of: pipeline) == [])
        #expect(ports.unmatchedRules(of: pipeline).map(\.text) == ["/pads.*/"])
        pipeline.inputs[pipeline.inputs.count - 1].connect = [.port("pads:out")]
        #expect(silent.unmatchedRules(of: pipeline).map(\.text) == ["pads:out"])
    }

    @Test("a pattern with too few ports is listed with the remaining channels")
    func tooFew() throws {
        let pipeline = Pipeline.chain(
            channels: 3, connectInput: [.pattern("system:capture_.*")])
        let rule = try #require(ports.unmatchedRules(of: pipeline).first)
        #expect(!rule.matchesNothing)
        #expect(rule.channels == [3])
        #expect(rule.nearest == nil)
    }
}
