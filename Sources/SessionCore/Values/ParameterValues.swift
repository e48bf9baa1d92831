package import Pipelines
internal import Processing

/// The values of all addresses of a pipeline at one moment.
package struct ParameterValues: Equatable {
    private var nodes: [Node]

    private struct Node: Equatable {
        var isBypassed: Bool
        var mix: Float
        var parameters: [Float]
    }

    /// Creates the values that a pipeline starts with.
    package init(atStartOf pipeline: Pipeline) {
        // By index, because a whole node would be copied.
        let loaded = pipeline.atLoad.nodes
        nodes = loaded.indices.map { index in
            Node(
                isBypassed: loaded[index].isBypassed, mix: loaded[index].mix,
                parameters: loaded[index].values)
        }
    }

    package subscript(address: Pipeline.Address) -> Float {
        get {
            let node = nodes[address.node]
            return switch address.target {
            case .bypass: node.isBypassed ? 1 : 0
            case .mix: node.mix
            case .parameter(let index): node.parameters[index]
            }
        }
        set {
            switch address.target {
            case .bypass: nodes[address.node].isBypassed = newValue >= 0.5
            case .mix: nodes[address.node].mix = newValue
            case .parameter(let index): nodes[address.node].parameters[index] = newValue
            }
        }
    }

    /// The number of nodes.
    var count: Int { nodes.count }

    /// Returns whether a node has the same values as a node of other values.
    func hasSameValues(_ index: Int, as other: ParameterValues, _ otherIndex: Int) -> Bool {
        nodes[index] == other.nodes[otherIndex]
    }

    /// Takes over all values of a node from a node with the same parameters.
    mutating func adopt(_ index: Int, from other: ParameterValues, _ otherIndex: Int) {
        nodes[index] = other.nodes[otherIndex]
    }

    /// Returns a pipeline with the same nodes and these values; triggers have no value.
    func applied(to pipeline: Pipeline) -> Pipeline {
        var result = pipeline
        for index in pipeline.nodes.indices {
            let node = nodes[index]
            // Only a node that differs is copied.
            if result.nodes[index].isBypassed != node.isBypassed {
                result.nodes[index].isBypassed = node.isBypassed
            }
            if result.nodes[index].mix != node.mix { result.nodes[index].mix = node.mix }
            guard result.nodes[index].values != node.parameters else { continue }
            for parameter in node.parameters.indices
            where !result.nodes[index].parameters[parameter].isTrigger {
                result.nodes[index].values[parameter] = node.parameters[parameter]
            }
        }
        return result
    }

    /// Returns whether the address exists.
    package func has(_ address: Pipeline.Address) -> Bool {
        guard nodes.indices.contains(address.node) else { return false }
        guard case .parameter(let index) = address.target else { return true }
        return nodes[address.node].parameters.indices.contains(index)
    }
}
