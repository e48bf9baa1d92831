import Engine
import Pipelines
import Testing

struct EnginePortsTests {
    @Test("edited connection rules replace the earlier ones, and slots stay")
    func editedRules() throws {
        var ports = try #require(EnginePorts(pipeline(input: "a:b", output: "c:d")))
        let slots = ports.inputs.map(\.slots)
        let edited = pipeline(input: "a:x", output: "c:y")
        let fits = ports.add(edited)
        #expect(fits)
        ports.useRules(of: [edited])
        #expect(ports.inputs.map(\.connect) == [[.port("a:x")]])
        #expect(ports.outputs.map(\.connect) == [[.port("c:y")]])
        #expect(ports.inputs.map(\.slots) == slots)
    }

    @Test("the first pipeline with a signal decides on its rules, as when signals are added")
    func firstPipeline() throws {
        let (one, two) = (
            pipeline(input: "a:b", output: "c:d"), pipeline(input: "x:y", output: "z:z")
        )
        var ports = try #require(EnginePorts(one))
        let fits = ports.add(two)
        #expect(fits)
        let added = ports
        ports.useRules(of: [one, two])
        #expect(ports == added)
    }

    private func pipeline(input: String, output: String) -> Pipeline {
        Pipeline(
            name: "", summary: "",
            inputs: [.init(name: "mic", channels: 1, kind: .audio, connect: [.port(input)])],
            outputs: [
                .init(
                    name: "main", channels: 1, kind: .audio,
                    taps: [.init(.input(0), channel: 0)], hasLimiter: false,
                    connect: [.port(output)])
            ], nodes: [], scenes: [], initialScene: nil, bindings: [], tempo: 120, tailSeconds: 4)
    }
}
