internal import Processing

/// Plugins that run in processes of their own, so that a crash ends only such a process.
///
/// Their sound is the same as in this process, and not later.
struct SeparatePlugins: PluginSource {
    /// The plugins.
    let source: any PluginSource

    func description(ofPlugin uri: String) throws(PluginError) -> NodeDescription {
        try source.description(ofPlugin: uri)
    }

    func installedPlugins() -> [String] { source.installedPlugins() }

    func plugins(named name: String) -> [String] { source.plugins(named: name) }

    func hasPlugins(matching word: String) -> Bool { source.hasPlugins(matching: word) }

    func parameters(
        ofPreset preset: String, ofPlugin uri: String
    ) throws(PluginError) -> [String: Float] {
        try source.parameters(ofPreset: preset, ofPlugin: uri)
    }

    func makeProcessor(
        forPlugin uri: String, _ request: ProcessorRequest
    ) throws(PluginError) -> Processor {
        var request = request
        if request.isolation == .none {
            request.isolation = .sameCycle
            // The program that died gave the plugin all of its own rights.
            request.sandbox = .off
        }
        return try source.makeProcessor(forPlugin: uri, request)
    }
}
