/// A source without plugins, for a host of only built-in effects.
public struct NoPlugins: PluginSource {
    /// Creates the source.
    public init() {}

    /// Always throws, because there are no plugins.
    public func description(ofPlugin uri: String) throws(PluginError) -> NodeDescription {
        throw .noPlugins
    }

    /// Returns an empty list.
    public func installedPlugins() -> [String] { [] }

    /// Always throws, because there are no plugins.
    public func parameters(
        ofPreset preset: String, ofPlugin uri: String
    ) throws(PluginError) -> [String: Float] { throw .noPlugins }

    /// Always throws, because there are no plugins.
    public func makeProcessor(
        forPlugin uri: String, _ request: ProcessorRequest
    ) throws(PluginError) -> Processor { throw .noPlugins }
}

extension PluginError {
    fileprivate static var noPlugins: PluginError {
        PluginError("plugins are not supported here", isMissing: true)
    }
}
