package import Pipelines
internal import Processing

/// The addresses of one pipeline that correspond to those of another: the same node id and parameter
/// name.
package struct Counterparts {
    private let source: Pipeline
    private let target: Pipeline
    /// The indices of the target's nodes by id; `nil` if all nodes have the same indices in both
    /// pipelines.
    private let indices: [String: Int]?

    /// Creates the correspondence between two pipelines.
    ///
    /// - Parameters:
    ///   - source: The pipeline of the addresses to look up.
    ///   - target: The pipeline in which they are found.
    package init(of source: Pipeline, in target: Pipeline) {
        self.source = source
        self.target = target
        // By index, because a pair of nodes would be copied.
        let isSameOrder =
            source.nodes.count <= target.nodes.count
            && source.nodes.indices.allSatisfy { source.nodes[$0].id == target.nodes[$0].id }
        indices =
            isSameOrder
            ? nil : Dictionary(target.nodes.enumerated().map { ($1.id, $0) }) { first, _ in first }
    }

    /// Returns the corresponding address; `nil` if the target does not have it.
    package func address(for address: Pipeline.Address) -> Pipeline.Address? {
        node(for: address.node).flatMap { source.counterpart(of: address, in: target, node: $0) }
    }

    /// Returns the index of the corresponding node; `nil` if the target does not have it.
    func node(for index: Int) -> Int? {
        guard let indices else { return index }
        return indices[source.nodes[index].id]
    }
}

extension Pipeline {
    /// Returns the address in another pipeline with the same node id and parameter name; `nil` if
    /// that pipeline does not have it.
    ///
    /// It searches for the node; `Counterparts` is faster for many addresses.
    package func counterpart(of address: Address, in other: Pipeline) -> Address? {
        let id = nodes[address.node].id
        // Mostly, both pipelines have the same nodes in the same order.
        let hasSameIndex =
            other.nodes.indices.contains(address.node) && other.nodes[address.node].id == id
        let node = hasSameIndex ? address.node : other.nodes.firstIndex { $0.id == id }
        return node.flatMap { counterpart(of: address, in: other, node: $0) }
    }

    /// Returns the address in a node of another pipeline; `nil` if the node does not have it.
    fileprivate func counterpart(of address: Address, in other: Pipeline, node: Int) -> Address? {
        guard case .parameter(let index) = address.target else {
            return Address(node: node, target: address.target)
        }
        let name = nodes[address.node].parameters[index].name
        let parameters = other.nodes[node].parameters
        let hasSameIndex = parameters.indices.contains(index) && parameters[index].name == name
        let found = hasSameIndex ? index : parameters.firstIndex { $0.name == name }
        guard let parameter = found else { return nil }
        // If an edit has changed the type of the node, the value may be out of the new range.
        guard nodes[address.node].parameters[index].range == parameters[parameter].range else {
            return nil
        }
        return Address(node: node, target: .parameter(parameter))
    }
}
