internal import CLilv
public import Processing

/// A preset of a plugin.
public struct PluginPreset: Sendable, Equatable {
    /// The name as a person reads it.
    public var label: String
    /// The URI, which names it everywhere.
    public var uri: String
}

extension PluginWorld {
    /// The presets of a plugin, by label.
    ///
    /// - Throws: `PluginFault` where the plugin is not installed.
    public func presets(ofPlugin uri: String) throws(PluginFault) -> [PluginPreset] {
        try locked { () throws(PluginFault) in
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

    /// The values that a preset gives to parameters, by name.
    ///
    /// - Parameters:
    ///   - preset: The preset's label or URI.
    ///   - uri: The plugin's URI.
    /// - Returns: The values by the parameters' names.
    /// - Throws: `PluginFault` where there is no such preset; its message lists those there are. Also where it holds
    ///   more than control values, for half a preset is another sound.
    public func parameters(ofPreset preset: String, ofPlugin uri: String) throws(PluginFault)
        -> [String: Float]
    {
        let presets = try presets(ofPlugin: uri)
        guard let found = presets.first(where: { $0.uri == preset || $0.label == preset }) else {
            throw PluginFault(Self.noSuchPreset(preset, uri, presets))
        }
        return try locked { () throws(PluginFault) in
            let world = try world()
            let names = Set(try shape(uri).description.parameters.map(\.name))
            let reader = StateReader(world: world)
            guard !reader.hasProperties(world.node(found.uri)) else {
                throw PluginFault(
                    "the preset '\(preset)' of the plugin \(uri) holds more than control values, "
                        + "which is not offered here: "
                        + Namespace.shortened(Namespace.state("interface")))
            }
            let values = reader.portValues(of: world.node(found.uri)) ?? [:]
            return values.filter { names.contains($0.key) }
        }
    }

    private static func noSuchPreset(_ preset: String, _ uri: String, _ presets: [PluginPreset])
        -> String
    {
        let list =
            presets.isEmpty
            ? "it has none" : "it has " + presets.map { "'\($0.label)'" }.joined(separator: ", ")
        return "the plugin \(uri) has no preset '\(preset)'; \(list)"
    }
}
