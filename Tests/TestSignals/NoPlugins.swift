package import Processing

/// A source without any plugin.
package struct NoPlugins: PluginSource {
    /// The one there is.
    package init() {}

    package func description(ofPlugin uri: String) throws(PluginFault) -> NodeDescription {
        throw PluginFault("no plugin", isMissing: true)
    }

    package func installedPlugins() -> [String] { [] }

    package func parameters(
        ofPreset preset: String, ofPlugin uri: String
    ) throws(PluginFault) -> [String: Float] { throw PluginFault("no preset") }

    package func makeProcessor(
        forPlugin uri: String, _ request: ProcessorRequest
    ) throws(PluginFault) -> Processor { throw PluginFault("no plugin", isMissing: true) }
}
