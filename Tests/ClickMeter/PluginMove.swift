import Processing

/// A control of an installed plugin.
struct PluginMove: Sendable {
    let label: String
    let plugin: String
    let parameter: String
    let range: ClosedRange<Double>
    /// Whether it is told when its bypass ends, and comes in slowly itself.
    var fadesInByItself = false

    /// The value so many % of the way through the range.
    func value(_ percent: Double) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * percent / 100
    }

    /// Those of plugins that smooth them, and one that does not.
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

    /// Those that are there.
    static func installed(in catalogue: Catalogue) -> [PluginMove] {
        known.filter { (try? catalogue.plugins.description(ofPlugin: $0.plugin)) != nil }
    }
}
