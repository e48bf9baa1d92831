internal import Processing

extension Pipeline {
    /// The pipeline with its values and settings at load: the initial scene overrides the nodes.
    public var atLoad: Pipeline {
        var result = self
        for node in nodes.indices {
            for index in nodes[node].parameters.indices
            where nodes[node].parameters[index].isTrigger {
                result.nodes[node].values[index] = nodes[node].parameters[index].defaultValue
            }
        }
        guard let initialScene else { return result }
        return result.withSettingsAtLoad.applying(scenes[initialScene].changes)
    }

    /// Returns the pipeline with some values changed; triggers have no value.
    public func applying(_ changes: [Change]) -> Pipeline {
        var result = self
        for change in changes {
            guard !parameter(at: change.address).isTrigger else { continue }
            switch change.address.target {
            case .parameter(let index):
                result.nodes[change.address.node].values[index] = change.value
            case .bypass: result.nodes[change.address.node].isBypassed = change.value >= 0.5
            case .mix: result.nodes[change.address.node].mix = change.value
            }
        }
        return result
    }
}
