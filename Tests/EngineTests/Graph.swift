import CRealtime
import Engine
import Pipelines
import Processing

/// Builds pipelines in code, without a file.
struct Graph {
    var pipeline: Pipeline
    private var places: [String: Pipeline.Source] = [:]
    private var widths: [String: Int] = [:]

    /// Creates a graph with these audio inputs and their channel counts.
    init(inputs: KeyValuePairs<String, Int> = ["in": 1]) {
        pipeline = Pipeline(
            name: "graph", summary: "",
            inputs: inputs.map {
                .init(name: $0.key, channels: $0.value, kind: .audio, connect: [])
            },
            outputs: [], nodes: [], scenes: [], initialScene: nil, bindings: [], tempo: 120,
            tailSeconds: 4)
        for (index, input) in inputs.enumerated() {
            places[input.key] = .input(index)
            widths[input.key] = input.value
        }
    }

    /// Adds a node fed by the named signals in parallel; `declare` allows a name before its node is
    /// added.
    mutating func add(
        _ id: String, _ type: String, from: [String], values: [Float] = [], outputs: Int? = nil,
        mix: Float = 1, isBypassed: Bool = false, settings: [String: SettingValue] = [:]
    ) {
        let taps = from.flatMap(taps)
        let isMixer = type == "sum"
        let node = Pipeline.Node(
            id: id, type: .effect(type), description: TestEffects.description(type),
            instances: [taps], outputChannels: outputs ?? (isMixer ? 1 : taps.count),
            strips: isMixer ? from.map { .init(name: $0, channels: taps_($0).count) } : [],
            parameters: TestEffects.description(type).parameters,
            values: values.isEmpty
                ? TestEffects.description(type).parameters.map(\.defaultValue) : values,
            settings: settings, isBypassed: isBypassed, mix: mix, isolation: .none, events: nil)
        places[id] = .node(pipeline.nodes.count)
        widths[id] = node.outputChannels
        pipeline.nodes.append(node)
    }

    /// Adds an output fed by the named signals.
    mutating func output(_ name: String = "out", from: [String], hasLimiter: Bool = false) {
        let taps = from.flatMap(taps)
        pipeline.outputs.append(
            .init(
                name: name, channels: taps.count, kind: .audio, taps: taps, hasLimiter: hasLimiter,
                connect: []))
    }

    private func taps(_ name: String) -> [Pipeline.Tap] { taps_(name) }

    private func taps_(_ name: String) -> [Pipeline.Tap] {
        guard let source = places[name], let width = widths[name] else { return [] }
        return (0..<width).map { Pipeline.Tap(source, channel: $0) }
    }
}

extension Pipeline {
    /// Returns the same graph with its nodes in another order.
    func shuffled(using generator: inout some RandomNumberGenerator) -> Pipeline {
        let order = nodes.indices.shuffled(using: &generator)
        var newIndex = [Int](repeating: 0, count: nodes.count)
        for (new, old) in order.enumerated() { newIndex[old] = new }
        func moved(_ tap: Tap) -> Tap {
            guard case .node(let index) = tap.source else { return tap }
            return Tap(.node(newIndex[index]), channel: tap.channel)
        }
        var result = self
        result.nodes = order.map { old in
            var node = nodes[old]
            node.instances = node.instances.map { $0.map { $0.map(moved) } }
            return node
        }
        for index in result.outputs.indices {
            result.outputs[index].taps = result.outputs[index].taps.map { $0.map(moved) }
        }
        return result
    }
}

/// A generator that repeats its numbers for the same seed.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: Int) { state = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
