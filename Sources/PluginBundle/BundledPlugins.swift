public import Processing

/// One plugin of the bundle: an effect at fixed settings, for one channel or two.
///
/// A setting is fixed for the lifetime of a plugin, so each value of it is a separate plugin.
public struct BundledPlugin: Sendable {
    /// The URI by which hosts identify the plugin.
    public let uri: String
    /// The difference from the effect's other plugins, for its name; may be empty.
    let variant: String
    /// The settings of the effect in this plugin.
    public let settings: [String: SettingValue]
    /// The number of input channels, 1 or 2.
    public let channelCount: Int
    /// The number of output channels, 1 or 2.
    public var outputCount: Int {
        if case .ports(_, let outputs) = description.channels {
            outputs.count
        } else {
            channelCount
        }
    }
    /// The description of the effect.
    public let description: NodeDescription

    private init(
        _ uri: String, of description: NodeDescription, variant: String = "",
        channelCount: Int = 1, settings: [String: SettingValue] = [:]
    ) {
        self.uri = uri
        self.variant = variant
        self.settings = settings
        self.channelCount = channelCount
        self.description = description
    }

    /// The same plugin for two channels.
    private var stereo: BundledPlugin {
        BundledPlugin(
            uri + "-stereo", of: description, variant: variant, channelCount: 2, settings: settings)
    }

    /// Returns the plugins in the bundle for these effects.
    public static func all(of effects: [Effect]) -> [BundledPlugin] {
        effects.map(\.description).flatMap { effect -> [BundledPlugin] in
            switch effect.name {
            case "frequency-shift":
                [
                    BundledPlugin("urn:stompline:frequency-shift", of: effect),
                    BundledPlugin(
                        "urn:stompline:frequency-shift-fold", of: effect, variant: "folding",
                        settings: ["band": .text("fold")]),
                ]
            case "pitch-shift":
                [
                    BundledPlugin("urn:stompline:pitch-shift", of: effect),
                    BundledPlugin(
                        "urn:stompline:pitch-shift-fast", of: effect, variant: "fast",
                        settings: ["quality": .text("fast")]),
                    BundledPlugin(
                        "urn:stompline:pitch-shift-high", of: effect, variant: "high quality",
                        settings: ["quality": .text("high")]),
                    BundledPlugin(
                        "urn:stompline:pitch-shift-preserve", of: effect,
                        variant: "formants preserved",
                        settings: ["formants": .text("preserve")]),
                ].flatMap { [$0, $0.stereo] } + [
                    BundledPlugin(
                        "urn:stompline:voice-shift", of: effect, variant: "one voice",
                        settings: ["mode": .text("voice")])
                ]
            case "tune", "freeze", "filter", "feedback-guard":
                [BundledPlugin("urn:stompline:\(effect.name)", of: effect)]
                    .flatMap { [$0, $0.stereo] }
            case "harmony":
                [
                    BundledPlugin(
                        "urn:stompline:harmony", of: effect,
                        settings: ["voices": .number(4)]),
                    BundledPlugin(
                        "urn:stompline:harmony-interval", of: effect, variant: "fixed intervals",
                        settings: ["voices": .number(4), "mode": .text("interval")]),
                ]
            case "tuner": [BundledPlugin("urn:stompline:tuner", of: effect)]
            case "time-stretch":
                [
                    BundledPlugin("urn:stompline:time-stretch", of: effect),
                    BundledPlugin(
                        "urn:stompline:time-stretch-loop", of: effect, variant: "looping",
                        settings: ["when-full": .text("loop")]),
                ].flatMap { [$0, $0.stereo] }
            default: []
            }
        }
    }
}
