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
        switch description.channels {
        case .ports(_, let outputs): outputs.count
        case .mixer: 2
        default: channelCount
        }
    }
    /// The description of the effect.
    public let description: NodeDescription
    /// What the plugin receives in its event port; `nil` if it has no such port.
    public let events: EventKind?

    /// The events of a plugin.
    public enum EventKind: Sendable {
        /// MIDI messages.
        case notes
        /// The tempo.
        case tempo
    }

    private init(
        _ uri: String, of description: NodeDescription, variant: String = "",
        channelCount: Int = 1, settings: [String: SettingValue] = [:], events: EventKind? = nil
    ) {
        self.events = events
        self.uri = uri
        self.variant = variant
        self.settings = settings
        self.channelCount = channelCount
        self.description = description
    }

    /// The same plugin for two channels.
    private var stereo: BundledPlugin {
        BundledPlugin(
            uri + "-stereo", of: description, variant: variant, channelCount: 2, settings: settings,
            events: events)
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
            case "tune":
                [BundledPlugin("urn:stompline:tune", of: effect, events: .notes)]
                    .flatMap { [$0, $0.stereo] }
            case "delay":
                [
                    BundledPlugin(
                        "urn:stompline:delay", of: effect.withMix,
                        settings: ["maximum": .number(32)], events: .tempo)
                ].flatMap { [$0, $0.stereo] }
            case "mixer":
                [BundledPlugin("urn:stompline:channel-strip", of: effect.channelStrip)]
                    .flatMap { [$0, $0.stereo] }
            case "freeze", "filter", "feedback-guard":
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
                    BundledPlugin(
                        "urn:stompline:harmony-midi", of: effect, variant: "MIDI chords",
                        settings: ["voices": .number(4), "mode": .text("midi")],
                        events: .notes),
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

extension NodeDescription {
    /// The description with the share of the effect as a parameter, which a node has in addition to
    /// its parameters.
    fileprivate var withMix: NodeDescription {
        var description = self
        description.summary =
            "Echoes at a time in seconds or in beats of the host's tempo. A new time is crossfaded, so the pitch does not glide."
        if let beats = description.parameters.firstIndex(where: { $0.name == "beats" }) {
            description.parameters[beats].summary =
                "The time in beats of the host's tempo; above 0 it replaces the time in seconds."
        }
        description.parameters.append(
            ParameterDescription(
                "mix", label: "Mix", summary: "The share of the echoes in the output.",
                range: 0...1, default: 0.35))
        return description
    }

    /// The description of one strip of a mixer, without the controls that need others.
    fileprivate var channelStrip: NodeDescription {
        var description = self
        description.label = "Channel strip"
        description.summary = "A strip of a mixer: level, pan or balance, mute and polarity."
        description.parameters = stripParameters.filter { $0.name != "solo" }
        return description
    }
}
