internal import Processing

/// The state that a plugin starts from, before its node's own values are applied.
struct StartingState {
    /// The states to restore in order: the plugin's default state, and the preset's state.
    var states: [PluginState] = []
    /// The parameter values from these states and the plugin's description.
    var ownParameters: [Float]
    /// Whether the node requests a state, which the plugin must process before it plays.
    var changesPlugin = false
}

extension PluginWorld {
    /// Returns the state that a node starts from.
    ///
    /// - Throws: `PluginError` if there is no such preset.
    func startingState(_ shape: PluginShape, _ request: ProcessorRequest) throws(PluginError)
        -> StartingState
    {
        var start = StartingState(ownParameters: shape.description.parameters.map(\.defaultValue))
        if shape.loadsDefaultState { try add(stateOf: shape.uri, to: &start) }
        guard let name = request.settings["preset"]?.text else { return start }
        let preset = try preset(name, ofPlugin: shape.uri)
        let values = try parameters(ofPreset: preset.uri, ofPlugin: shape.uri)
        for (index, parameter) in shape.description.parameters.enumerated() {
            start.ownParameters[index] = values[parameter.name] ?? parameter.defaultValue
        }
        start.changesPlugin = try add(stateOf: preset.uri, to: &start)
        return start
    }

    /// Adds the described state of a URI if it contains more than control values; returns whether
    /// it was added.
    @discardableResult
    private func add(stateOf uri: String, to start: inout StartingState) throws(PluginError) -> Bool
    {
        let state = try locked { () throws(PluginError) in
            let world = try world()
            return PluginState(of: world.node(uri), in: world)
        }
        guard let state, state.hasProperties else { return false }
        start.states.append(state)
        return true
    }
}
