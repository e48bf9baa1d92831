internal import Pipelines
internal import Processing

/// What all values of a pipeline are now, or are on their way to.
struct Values: Equatable {
    private var nodes: [Node]

    private struct Node: Equatable {
        var isBypassed: Bool
        var mix: Float
        var parameters: [Float]
    }

    /// The values that hold at load.
    init(of pipeline: Pipeline) {
        nodes = pipeline.atLoad.nodes.map {
            Node(isBypassed: $0.isBypassed, mix: $0.mix, parameters: $0.values)
        }
    }

    subscript(address: Pipeline.Address) -> Float {
        get {
            let node = nodes[address.node]
            return switch address.target {
            case .bypass: node.isBypassed ? 1 : 0
            case .mix: node.mix
            case .parameter(let place): node.parameters[place]
            }
        }
        set {
            switch address.target {
            case .bypass: nodes[address.node].isBypassed = newValue >= 0.5
            case .mix: nodes[address.node].mix = newValue
            case .parameter(let place): nodes[address.node].parameters[place] = newValue
            }
        }
    }

    /// Whether there is such a value.
    func has(_ address: Pipeline.Address) -> Bool {
        guard nodes.indices.contains(address.node) else { return false }
        guard case .parameter(let place) = address.target else { return true }
        return nodes[address.node].parameters.indices.contains(place)
    }
}

extension Pipeline {
    /// Everything that may be moved in it.
    var addresses: [Address] {
        nodes.indices.flatMap { node in
            nodes[node].parameters.indices.map { Address(node: node, target: .parameter($0)) }
                + [Address(node: node, target: .bypass), Address(node: node, target: .mix)]
        }
    }

    /// The pipeline with other values at load, and no scene over them.
    func holding(_ values: Values) -> Pipeline {
        var result = applying(addresses.map { Change(address: $0, value: values[$0]) })
        result.initialScene = nil
        return result
    }

    /// Where an address of this pipeline leads in another one; nil where there is no such place.
    func counterpart(of address: Address, in other: Pipeline) -> Address? {
        guard let node = other.nodes.firstIndex(where: { $0.id == nodes[address.node].id }) else {
            return nil
        }
        guard case .parameter(let place) = address.target else {
            return Address(node: node, target: address.target)
        }
        let name = nodes[address.node].parameters[place].name
        return other.nodes[node].parameters.firstIndex { $0.name == name }
            .map { Address(node: node, target: .parameter($0)) }
    }

    /// A value of an address as people write it.
    func value(_ value: Float, at address: Address) -> Value {
        let parameter = parameter(at: address)
        switch parameter.kind {
        case .toggle: return .toggle(value >= 0.5)
        case .choice(let choices):
            return choices.first { $0.value == value }.map { .text($0.name) }
                ?? .number(value.plain)
        case .continuous, .integer: return .number(value.plain)
        }
    }
}

extension Float {
    /// The number with as few digits as tell it apart from others: 0.35, not 0.3499999940395355.
    var plain: Double { Double(description) ?? Double(self) }
}
