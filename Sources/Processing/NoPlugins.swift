/// A source without plugins, for a host of only built-in effects.
public struct NoPlugins: PluginSource {
    /// Creates the source.
    public init() {}

    /// Always throws, because there are no plugins.
    public func description(ofPlugin uri: String) throws(PluginFault) -> NodeDescription {
        throw .noPlugins
    }

    /// Returns an empty list.
    public func installedPlugins() -> [String] { [] }

    /// Always throws, because there are no plugins.
    public func parameters(
        ofPreset preset: String, ofPlugin uri: String
    ) throws(PluginFault) -> [String: Float] { throw .noPlugins }

    /// Always throws, because there are no plugins.
    public func makeProcessor(
        forPlugin uri: String, _ request: ProcessorRequest
    ) throws(PluginFault) -> Processor { throw .noPlugins }
}

extension PluginFault {
    fileprivate static var noPlugins: PluginFault {
        PluginFault("plugins are not supported here", isMissing: true)
    }
}
