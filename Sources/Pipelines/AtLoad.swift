extension Pipeline {
    /// The pipeline with its values at load: the nodes' values, overridden by the initial scene.
    public var atLoad: Pipeline {
        guard let initialScene else { return self }
        return applying(scenes[initialScene].changes)
    }

    /// Returns the pipeline with some values changed.
    public func applying(_ changes: [Change]) -> Pipeline {
        var result = self
        for change in changes {
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
