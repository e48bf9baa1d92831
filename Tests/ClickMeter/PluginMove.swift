import Processing

extension PluginMove {
    /// Controls of plugins that smooth them, of those that may be installed.
    private static let known: [PluginMove] = []

    static func installed(in catalogue: Catalogue) -> [PluginMove] {
        known.filter { (try? catalogue.plugins.description(ofPlugin: $0.plugin)) != nil }
    }
}
