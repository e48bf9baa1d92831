import CRealtime
import Engine
import Pipelines
import Processing

extension BindingBench {
    /// One parameter of each kind, by its index.
    static let gain: Int32 = 0
    static let frequency: Int32 = 1
    static let mute: Int32 = 2
    static let shape: Int32 = 3
    static let order: Int32 = 4
    static let mix: Int32 = -1
    static let bypass: Int32 = -2

    static let parameters = [
        ParameterDescription("gain", range: 0...1, default: 0),
        ParameterDescription(
            "frequency", kind: .continuous(.logarithmic), range: 10...10_000, default: 10),
        .toggle("mute"), .choice("shape", of: ["low", "high", "band", "notch"]),
        ParameterDescription("order", kind: .integer, range: 1...8, default: 2),
    ]

    /// Returns a pipeline of one node with these parameters, and two MIDI inputs, `hands` and
    /// `feet`.
    static func pipeline(
        _ bindings: [Pipeline.Binding], _ scenes: [Pipeline.Scene]
    ) -> Pipeline {
        let description = NodeDescription(
            name: "knobs", label: "Knobs", summary: "", channels: .sameAsInputs,
            parameters: parameters)
        var graph = Graph()
        graph.add("a", "late", from: ["in"])
        var pipeline = graph.pipeline
        pipeline.nodes[0].description = description
        pipeline.nodes[0].parameters = parameters
        pipeline.nodes[0].values = parameters.map(\.defaultValue)
        pipeline.inputs += ["hands", "feet"].map {
            .init(name: $0, channels: 0, kind: .midi, connect: [])
        }
        pipeline.bindings = bindings
        pipeline.scenes = scenes
        return pipeline
    }

    static func target(_ target: Pipeline.Address.Target) -> Int32 {
        switch target {
        case .parameter(let index): Int32(index)
        case .mix: mix
        case .bypass: bypass
        }
    }

    static func address(_ target: Int32) -> Pipeline.Address {
        switch target {
        case mix: .init(node: 0, target: .mix)
        case bypass: .init(node: 0, target: .bypass)
        default: .init(node: 0, target: .parameter(Int(target)))
        }
    }
}

/// Returns a binding that moves a value; its range defaults to the parameter's.
func move(
    _ trigger: Pipeline.Binding.Trigger, _ target: Int32, _ from: Float? = nil,
    _ to: Float? = nil, curve: ParameterDescription.Curve = .linear,
    mode: Pipeline.Binding.Mode = .absolute, takeover: Pipeline.Binding.Takeover = .jump,
    channel: Int? = nil, port: Int? = nil, encoding: Pipeline.Binding.Encoding = .twosComplement,
    isFine: Bool = false
) -> Pipeline.Binding {
    let range =
        target < 0 ? 0...1 : BindingBench.parameters[Int(target)].range
    return Pipeline.Binding(
        trigger: trigger, channel: channel, port: port,
        action: .move(
            .node(BindingBench.address(target)), from: from ?? range.lowerBound,
            to: to ?? range.upperBound, curve: curve, mode: mode, takeover: takeover),
        encoding: encoding, isFine: isFine)
}

/// Returns a binding with another action.
func bind(
    _ trigger: Pipeline.Binding.Trigger, _ action: Pipeline.Binding.Action, channel: Int? = nil,
    bank: Int? = nil
) -> Pipeline.Binding {
    Pipeline.Binding(trigger: trigger, channel: channel, port: nil, action: action, bank: bank)
}

extension Pipeline.Binding {
    /// Returns the binding for another kind of press, with another guard or taper.
    func with(
        _ press: Press = .short, guardSeconds: Double = 0, taper: Taper = .none,
        wraps: Bool = false
    ) -> Self {
        var binding = self
        binding.press = press
        binding.guardSeconds = guardSeconds
        binding.taper = taper
        binding.wraps = wraps
        return binding
    }
}

extension Pipeline.Scene {
    /// Creates a scene that sets one value.
    init(_ name: String, _ target: Int32, _ value: Float) {
        self.init(
            name: name, changes: [.init(address: BindingBench.address(target), value: value)])
    }
}
