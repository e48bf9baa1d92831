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
    /// The folder that it came in.
    public var bundlePath: String
}

extension PluginWorld {
    /// The installed plugins whose URI, name, author or category holds a text, by URI.
    ///
    /// - Parameter text: What to look for, upper and lower case alike; empty for all plugins.
    /// - Returns: Each plugin once.
    /// - Throws: `PluginFault` where the installed plugins cannot be read.
    public func summaries(matching text: String = "") throws(PluginFault) -> [PluginSummary] {
        let wanted = text.lowercased()
        return try locked { () throws(PluginFault) in
            let world = try world()
            let files = TurtleSearch(wanted, world)
            return world.allPlugins().map { PluginReader(world: world, plugin: $0) }
                .filter { $0.mentions(wanted, files) }
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
    /// Whether a text in lower case is in the plugin's URI, name, author or category.
    ///
    /// The last three stand in the plugin's own files, which are read in full only where a search finds something.
    fileprivate func mentions(_ text: String, _ files: TurtleSearch) -> Bool {
        text.isEmpty || uri.lowercased().contains(text)
            || files.mayDescribe(plugin)
                && [name, author, category].contains { $0.lowercased().contains(text) }
    }

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
