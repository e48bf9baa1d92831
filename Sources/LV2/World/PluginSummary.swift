internal import CLilv
public import Processing

/// A plugin as lists show it.
public struct PluginSummary: Sendable, Equatable {
    /// The URI, which names it everywhere.
    public var uri: String
    /// The name as a person reads it.
    public var name: String
    /// Who made it; may be empty.
    public var author: String
    /// What kind of plugin it is ("Reverb"); may be empty.
    public var category: String
    /// How many audio channels go in, side chains included.
    public var audioInputCount: Int
    /// How many audio channels come out.
    public var audioOutputCount: Int
    /// What it needs that is not offered here.
    public var missingFeatures: [String]
    /// The folder that it came in, with a slash at its end.
    public var bundlePath: String
}

extension PluginSummary {
    /// Whether a text in lower case is in the URI, name, author or category.
    func mentions(_ text: String) -> Bool {
        text.isEmpty || [uri, name, author, category].contains { $0.lowercased().contains(text) }
    }
}

extension PluginWorld {
    /// The installed plugins, by URI, each once.
    ///
    /// - Parameter isWanted: Whether the plugins of a bundle, by its path, are read; that takes a while.
    /// - Returns: What the description of each says.
    /// - Throws: `PluginFault` where the installed plugins cannot be read.
    public func summaries(ofBundles isWanted: (String) -> Bool = { _ in true })
        throws(PluginFault) -> [PluginSummary]
    {
        try locked { () throws(PluginFault) in
            let world = try world()
            return world.allPlugins().map { PluginReader(world: world, plugin: $0) }
                .filter { isWanted($0.bundlePath) }
                .map { $0.summary() }
                .sorted { $0.uri < $1.uri }
        }
    }

    /// The plugin of a URI as lists show it.
    ///
    /// - Throws: `PluginFault` where it is not installed.
    public func summary(ofPlugin uri: String) throws(PluginFault) -> PluginSummary {
        try locked { () throws(PluginFault) in
            PluginReader(world: try world(), plugin: try plugin(uri)).summary()
        }
    }
}

extension PluginReader {
    fileprivate func summary() -> PluginSummary {
        PluginSummary(
            uri: uri, name: name, author: author, category: category,
            audioInputCount: audioPortCount("InputPort"),
            audioOutputCount: audioPortCount("OutputPort"),
            missingFeatures: missingFeatures(), bundlePath: bundlePath)
    }

    private func audioPortCount(_ direction: String) -> Int {
        let audio = world.node(Namespace.core("AudioPort"))
        let direction = world.node(Namespace.core(direction))
        return (0..<lilv_plugin_get_num_ports(plugin)).count { index in
            guard let port = lilv_plugin_get_port_by_index(plugin, index) else { return false }
            return lilv_port_is_a(plugin, port, audio) && lilv_port_is_a(plugin, port, direction)
        }
    }
}
