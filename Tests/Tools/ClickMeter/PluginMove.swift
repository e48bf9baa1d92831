import Processing

/// A control of an installed plugin.
struct PluginMove: Sendable {
    let label: String
    let plugin: String
    let parameter: String
    let range: ClosedRange<Double>
    /// Whether the plugin is notified when its bypass ends, and then fades in itself.
    var fadesInByItself = false

    /// Returns the value at a percentage of the range.
    func value(_ percent: Double) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * percent / 100
    }

    /// Controls of plugins that smooth them, and one that is not smoothed.
    private static let known = [
        PluginMove(
            label: "fil4 gain", plugin: "http://gareus.org/oss/lv2/fil4#mono", parameter: "gain",
            range: -18...0, fadesInByItself: true),
        PluginMove(
            label: "swh amp gain", plugin: "http://plugin.org.uk/swh-plugins/amp",
            parameter: "gain", range: -18...0),
        PluginMove(
            label: "invada low-pass",
            plugin: "http://invadarecords.com/plugins/lv2/filter/lpf/mono",
            parameter: "freq", range: 300...4_000),
    ]

    /// Returns the controls of installed plugins.
    static func installed(in catalogue: Catalogue) -> [PluginMove] {
        known.filter { (try? catalogue.plugins.description(ofPlugin: $0.plugin)) != nil }
    }
}
