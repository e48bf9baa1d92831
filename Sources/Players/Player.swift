public import Processing

/// The `player` effect: plays sound files one after another, or as cues that overlap.
public enum Player {
    /// Creates the effect for a catalogue.
    ///
    /// - Parameters:
    ///   - opener: Opens sound files.
    ///   - streams: Opens network streams.
    /// - Returns: The effect.
    public static func effect(
        opener: SoundOpener = .files, streams: StreamOpener = .network()
    ) -> Effect {
        Effect(
            description: description,
            inspect: { settings throws(SettingError) in
                try PlayerSettings(settings).facts()
            },
            memoryBytes: { PlayerMemory(request: $0, opener: opener).byteCount },
            settingsRule: SettingsRule(
                allows: { PlayerSettings.canFollow($0, $1) },
                memoryBytes: {
                    PlayerMemory(request: $1, opener: opener).changeBytes(from: $0)
                }),
            makeProcessor: { request throws(PluginError) in
                try PlayerParts(request, opener: opener, streams: streams).processor()
            })
    }

    static let description = NodeDescription(
        name: "player", label: "Player",
        summary:
            "Plays a sound file, a list of files, overlapping cues or a stream: at any speed and pitch, in loops, in sync with the transport.",
        channels: .source, parameters: PlayerKernel.Parameter.descriptions, settings: settings,
        requiredSettings: ["file", "files", "url"], reports: reportList,
        textReports: [ReportDescription("file", label: "File")], category: "Source", hasEnd: true)

    /// The index of `item` in the reports.
    static let itemReport = 2

    private static let reportList = [
        ReportDescription("position", label: "Position", unit: .seconds),
        ReportDescription("duration", label: "Duration", unit: .seconds),
        ReportDescription("item", label: "Item"),
        ReportDescription("playing", label: "Playing", kind: .toggle),
        ReportDescription("voices", label: "Voices"),
        ReportDescription("buffering", label: "Buffering", unit: .percent),
        ReportDescription("silent-frames", label: "Silent frames", unit: .frames),
    ]

    private static let settings = [
        SettingDescription("file", summary: "The sound file.", kind: .path),
        SettingDescription(
            "files",
            summary:
                "The sound files to play one after another: paths, or objects with file and gain.",
            kind: .playlist),
        SettingDescription("url", summary: "The address of a stream.", kind: .url),
        SettingDescription(
            "start", summary: "The time in each file at which playback begins.", unit: .seconds,
            kind: .number(0...86_400), default: .number(0)),
        SettingDescription(
            "end",
            summary:
                "The time in each file at which playback ends; by default the end of the file.",
            unit: .seconds,
            kind: .number(0...86_400)),
        SettingDescription(
            "channels",
            summary:
                "The number of channels; by default that of the widest file. One channel goes to all; one output is the mean of all.",
            kind: .integer(1...64)),
        SettingDescription(
            "loops", summary: "How often the sound plays when looping; 0 for no limit.",
            kind: .integer(0...1000), default: .number(0)),
        SettingDescription(
            "crossfade",
            summary:
                "The length of the crossfade from the end of a loop to its beginning, at most half the file; 0 joins without a fade. Lists always join without a fade.",
            unit: .seconds, kind: .number(0...10), default: .number(0)),
        SettingDescription(
            "swell",
            summary:
                "The fade-in time at a start and after a seek. Default: 0.25 s; for cues, 0.",
            unit: .seconds, kind: .number(0...10)),
        SettingDescription(
            "swell-out",
            summary:
                "The fade-out time when `playing` is switched off. Default: 0, a fade of 20 ms.",
            unit: .seconds, kind: .number(0...60), default: .number(0)),
        SettingDescription(
            "sync", summary: "Follows the transport: plays at its position while it rolls.",
            kind: .toggle, default: .toggle(false)),
        SettingDescription(
            "start-on",
            summary: "When a start takes effect: at once, at the next beat or at the next bar.",
            kind: .choice(StartPoint.names),
            default: .text("now")),
        SettingDescription(
            "restart",
            summary:
                "Whether each start is from the beginning; otherwise, playback continues where it stopped.",
            kind: .toggle, default: .toggle(false)),
        SettingDescription(
            "polyphony",
            summary:
                "How many cues can play at once. Above 1 each trigger starts another cue, and nothing plays by itself.",
            kind: .integer(1...32), default: .number(1)),
        SettingDescription(
            "shuffle", summary: "Plays the list in a random order.", kind: .toggle,
            default: .toggle(false)),
        SettingDescription(
            "preload",
            summary:
                "How far ahead to read; shorter files are held in memory. Default: 2 s; offline, files up to a minute are held.",
            unit: .seconds, kind: .number(0.5...600)),
    ]
}

extension StartPoint {
    static let names = ["now", "beat", "bar"]
}
