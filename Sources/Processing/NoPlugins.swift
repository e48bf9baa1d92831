/// A source without any plugin, for a host of built-in effects alone.
public struct NoPlugins: PluginSource {
    /// A source without any plugin.
    public init() {}

    /// Always throws: there is no plugin.
    public func description(ofPlugin uri: String) throws(PluginFault) -> NodeDescription {
        throw .noPlugins
    }

    /// None.
    public func installedPlugins() -> [String] { [] }

    /// Always throws: there is no plugin.
    public func parameters(
        ofPreset preset: String, ofPlugin uri: String
    ) throws(PluginFault) -> [String: Float] { throw .noPlugins }

    /// Always throws: there is no plugin.
    public func makeProcessor(
        forPlugin uri: String, _ request: ProcessorRequest
    ) throws(PluginFault) -> Processor { throw .noPlugins }
}

extension PluginFault {
    fileprivate static var noPlugins: PluginFault {
        PluginFault("plugins are not hosted here", isMissing: true)
    }
}
