internal import CLilv
public import Processing

/// A preset of a plugin.
public struct PluginPreset: Sendable, Equatable {
    /// The name for people.
    public var label: String
    /// The URI, which identifies the preset.
    public var uri: String
}

extension PluginWorld {
    /// Returns the presets of a plugin, sorted by label.
    ///
    /// - Throws: `PluginError` if the plugin is not installed.
    public func presets(ofPlugin uri: String) throws(PluginError) -> [PluginPreset] {
        try locked { () throws(PluginError) in
            let world = try world()
            var presets: [PluginPreset] = []
            let type = world.node(Namespace.presets("Preset"))
            world.consume(lilv_plugin_get_related(try plugin(uri), type)) { node in
                lilv_world_load_resource(world.pointer, node)
                let uri = world.text(node) ?? ""
                let label = world.consumeText(
                    lilv_world_get(world.pointer, node, world.node(Namespace.schema("label")), nil))
                presets.append(PluginPreset(label: label ?? uri, uri: uri))
            }
            return presets.sorted { ($0.label, $0.uri) < ($1.label, $1.uri) }
        }
    }

    /// Returns the values that a preset contains for parameters, by name.
    ///
    /// - Parameters:
    ///   - preset: The preset's label or URI.
    ///   - uri: The plugin's URI.
    /// - Returns: The values by the parameters' names.
    /// - Throws: `PluginError` if there is no such preset; its message lists the available ones.
    public func parameters(ofPreset preset: String, ofPlugin uri: String) throws(PluginError)
        -> [String: Float]
    {
        let found = try self.preset(preset, ofPlugin: uri)
        return try locked { () throws(PluginError) in try values(of: found, try shape(uri)) }
    }

    /// Finds a preset by its label or URI.
    ///
    /// - Throws: `PluginError` if it does not exist; its message lists the available ones.
    func preset(_ name: String, ofPlugin uri: String) throws(PluginError) -> PluginPreset {
        let presets = try presets(ofPlugin: uri)
        guard let found = presets.first(where: { $0.uri == name || $0.label == name }) else {
            throw PluginError(Self.noSuchPreset(name, uri, presets))
        }
        return found
    }

    /// Returns the values that a preset contains for ports and properties.
    ///
    /// The caller holds the lock.
    private func values(of preset: PluginPreset, _ shape: PluginShape) throws(PluginError)
        -> [String: Float]
    {
        let world = try world()
        guard let state = PluginState(of: world.node(preset.uri), in: world) else { return [:] }
        let names = Set(shape.description.parameters.map(\.name))
        var values = state.portValues
        let numbers = state.numbers(of: shape.properties)
        for property in shape.properties where property.isParameter {
            values[property.name] = numbers[property.uri]
        }
        return values.filter { names.contains($0.key) }
    }

    private static func noSuchPreset(_ preset: String, _ uri: String, _ presets: [PluginPreset])
        -> String
    {
        let list =
            presets.isEmpty
            ? "it has no presets"
            : "it has " + presets.map { "'\($0.label)'" }.joined(separator: ", ")
        return "the plugin \(uri) has no preset '\(preset)'; \(list)"
    }
}
