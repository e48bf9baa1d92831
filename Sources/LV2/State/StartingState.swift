internal import Processing

/// What a plugin starts from before its node's own values.
struct StartingState {
    /// States to be restored, one over the other: the plugin's default state, and a preset's.
    var states: [PluginState] = []
    /// The parameters as these states and the plugin's description have them.
    var ownParameters: [Float]
    /// Whether the node itself asks for a state, and the plugin is to come to rest with it before it plays.
    var changesPlugin = false
}

extension PluginWorld {
    /// What a node starts from.
    ///
    /// - Throws: `PluginFault` where there is no such preset.
    func startingState(_ shape: PluginShape, _ request: ProcessorRequest) throws(PluginFault)
        -> StartingState
    {
        var start = StartingState(ownParameters: shape.description.parameters.map(\.defaultValue))
        if shape.loadsDefaultState { try add(stateOf: shape.uri, to: &start) }
        guard let name = request.settings["preset"]?.text else { return start }
        let preset = try preset(name, ofPlugin: shape.uri)
        let values = try parameters(ofPreset: preset.uri, ofPlugin: shape.uri)
        for (place, parameter) in shape.description.parameters.enumerated() {
            start.ownParameters[place] = values[parameter.name] ?? parameter.defaultValue
        }
        start.changesPlugin = try add(stateOf: preset.uri, to: &start)
        return start
    }

    /// Adds the state that is described of a URI, where it is more than control values.
    @discardableResult
    private func add(stateOf uri: String, to start: inout StartingState) throws(PluginFault) -> Bool
    {
        let state = try locked { () throws(PluginFault) in
            let world = try world()
            return PluginState(of: world.node(uri), in: world)
        }
        guard let state, state.hasProperties else { return false }
        start.states.append(state)
        return true
    }
}
