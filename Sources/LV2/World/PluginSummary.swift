internal import CLilv
public import Processing

/// A plugin for lists.
public struct PluginSummary: Sendable, Equatable {
    /// The URI, which identifies the plugin.
    public var uri: String
    /// The name for people.
    public var name: String
    /// The author; may be empty.
    public var author: String
    /// The kind of plugin ("Reverb"); may be empty.
    public var category: String
    /// The number of audio inputs, including side chains.
    public var audioInputCount: Int
    /// The number of audio outputs.
    public var audioOutputCount: Int
    /// The required features that are not offered.
    public var missingFeatures: [String]
    /// The folder of its bundle, with a slash at the end.
    public var bundlePath: String
}

extension PluginSummary {
    /// Returns whether the URI, name, author or category contains a text in lower case.
    func mentions(_ text: String) -> Bool {
        text.isEmpty || [uri, name, author, category].contains { $0.lowercased().contains(text) }
    }
}

extension PluginWorld {
    /// Returns the installed plugins, sorted by URI, without duplicates.
    ///
    /// - Parameter isWanted: Whether to read the plugins of a bundle, given its path; reading is
    ///   slow.
    /// - Returns: The summary of each plugin.
    /// - Throws: `PluginError` if the installed plugins cannot be read.
    public func summaries(ofBundles isWanted: (String) -> Bool = { _ in true })
        throws(PluginError) -> [PluginSummary]
    {
        try locked { () throws(PluginError) in
            let world = try world()
            return world.allPlugins().map { PluginReader(world: world, plugin: $0) }
                .filter { isWanted($0.bundlePath) }
                .map { $0.summary() }
                .sorted { $0.uri < $1.uri }
        }
    }

    /// Returns the URIs of the installed plugins with a name, ignoring case; sorted.
    public func plugins(named name: String) -> [String] {
        let wanted = name.lowercased()
        let uris = try? locked { () throws(PluginError) in
            let world = try world()
            return world.allPlugins().map { PluginReader(world: world, plugin: $0) }
                .filter { $0.name.lowercased() == wanted }
                .map(\.uri)
        }
        return Set(uris ?? []).sorted()
    }

    /// Returns whether the URI, the name, the author or the category of an installed plugin
    /// contains a word, ignoring case.
    public func hasPlugins(matching word: String) -> Bool {
        let wanted = word.lowercased()
        let hasFound = try? locked { () throws(PluginError) in
            let world = try world()
            return world.allPlugins().contains {
                let reader = PluginReader(world: world, plugin: $0)
                return [reader.uri, reader.name, reader.author, reader.category].contains {
                    $0.lowercased().contains(wanted)
                }
            }
        }
        return hasFound ?? false
    }

    /// Returns the summary of the plugin with a URI.
    ///
    /// - Throws: `PluginError` if it is not installed.
    public func summary(ofPlugin uri: String) throws(PluginError) -> PluginSummary {
        try locked { () throws(PluginError) in
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
