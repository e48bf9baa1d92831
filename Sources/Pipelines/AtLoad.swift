extension Pipeline {
    /// The pipeline with the values that hold at load: those of its nodes, and over them its
    /// initial scene's.
    public var atLoad: Pipeline {
        guard let initialScene else { return self }
        return applying(scenes[initialScene].changes)
    }

    /// The pipeline with some values changed.
    public func applying(_ changes: [Change]) -> Pipeline {
        var result = self
        for change in changes {
            switch change.address.target {
            case .parameter(let place):
                result.nodes[change.address.node].values[place] = change.value
            case .bypass: result.nodes[change.address.node].isBypassed = change.value >= 0.5
            case .mix: result.nodes[change.address.node].mix = change.value
            }
        }
        return result
    }
}
