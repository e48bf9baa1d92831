public import Processing

/// A source without any plugin.
public struct NoPlugins: PluginSource {
    /// The one there is.
    public init() {}

    public func description(ofPlugin uri: String) throws(PluginFault) -> NodeDescription {
        throw PluginFault("no plugin", isMissing: true)
    }

    public func installedPlugins() -> [String] { [] }

    public func parameters(
        ofPreset preset: String, ofPlugin uri: String
    ) throws(PluginFault) -> [String: Float] { throw PluginFault("no preset") }

    public func makeProcessor(
        forPlugin uri: String, _ request: ProcessorRequest
    ) throws(PluginFault) -> Processor { throw PluginFault("no plugin", isMissing: true) }
}
