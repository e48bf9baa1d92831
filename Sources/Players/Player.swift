public import Processing

/// `player`: plays sound files, one after the other or as cues over one another.
public enum Player {
    /// The node type.
    ///
    /// - Parameters:
    ///   - opener: How files are opened.
    ///   - streams: How streams are begun.
    /// - Returns: The effect, for a catalogue.
    public static func effect(
        opener: SoundOpener = .files, streams: StreamOpener = .network
    ) -> Effect {
        Effect(
            description: description,
            inspect: { settings throws(SettingFault) in
                try PlayerSettings(settings).facts()
            },
            makeProcessor: { request throws(PluginFault) in
                try PlayerParts(request, opener: opener, streams: streams).processor()
            })
    }

    static let description = NodeDescription(
        name: "player", label: "Player",
        summary:
            "Plays a sound file, a list of them, or cues over one another: at any speed and pitch, in loops, in time with the transport.",
        channels: .source, parameters: parameters, settings: settings,
        requiredSettings: ["file", "files", "url"], reports: reportList, category: "Source")

    private static let parameters = [
        ParameterDescription(
            "gain", label: "Gain", summary: "Level; -120 dB is silence.", unit: .decibels,
            range: -120...24, default: 0),
        ParameterDescription(
            "rate", label: "Rate",
            summary: "How fast it plays: 0.5 is half as fast; the pitch stays.", unit: .ratio,
            range: 0.25...4, default: 1),
        ParameterDescription(
            "semitones", label: "Semitones",
            summary: "How far the pitch moves; the speed stays.", unit: .semitones,
            range: -24...24, default: 0),
        .toggle(
            "playing", label: "Playing",
            summary: "Plays; off, it fades out and keeps its place.", default: true),
        .toggle(
            "loop", label: "Loop",
            summary: "Begins again at the end: one file, or the list of them as a whole."),
        ParameterDescription(
            "position", label: "Position",
            summary: "Goes to this time of the file; it is where it begins at load, too.",
            unit: .seconds, range: 0...86_400, default: 0),
        .toggle(
            "trigger", label: "Trigger",
            summary: "Switched on, starts the file from its beginning, whatever plays."),
        .toggle("next", label: "Next", summary: "Switched on, goes to the next file."),
        .toggle("previous", label: "Previous", summary: "Switched on, goes to the file before."),
        ParameterDescription(
            "item", label: "Item", summary: "Goes to this file of the list; 0 leaves it.",
            kind: .integer, range: 0...10_000, default: 0),
    ]

    private static let reportList = [
        ReportDescription("position", label: "Position", unit: .seconds),
        ReportDescription("duration", label: "Duration", unit: .seconds),
        ReportDescription("item", label: "Item"),
        ReportDescription("playing", label: "Playing"),
        ReportDescription("voices", label: "Voices"),
        ReportDescription("buffering", label: "Buffering", unit: .percent),
        ReportDescription("silent-frames", label: "Silent frames", unit: .frames),
    ]

    private static let settings = [
        SettingDescription("file", summary: "The sound file.", kind: .path),
        SettingDescription(
            "files",
            summary: "Sound files that follow on one another: paths, or objects of file and gain.",
            kind: .playlist),
        SettingDescription("url", summary: "The address of a stream.", kind: .url),
        SettingDescription(
            "start", summary: "What of each file is left out before.", unit: .seconds,
            kind: .number(0...86_400), default: .number(0)),
        SettingDescription(
            "end", summary: "Where each file ends; without it at its own end.", unit: .seconds,
            kind: .number(0...86_400)),
        SettingDescription(
            "channels",
            summary:
                "How many channels it gives; without it as many as the widest file has. One goes to all, and all into one as their mean.",
            kind: .integer(1...64)),
        SettingDescription(
            "loops", summary: "How often it plays where it loops; 0 without end.",
            kind: .integer(0...1000), default: .number(0)),
        SettingDescription(
            "crossfade",
            summary:
                "How long the end of a loop goes over into its beginning, at most half of it; at 0 it joins to the sample. Lists join to the sample.",
            unit: .seconds, kind: .number(0...10), default: .number(0)),
        SettingDescription(
            "swell",
            summary:
                "How long it takes to full level at a start and after a seek; without it 0.25, for cues 0.",
            unit: .seconds, kind: .number(0...10)),
        SettingDescription(
            "sync", summary: "Follows the transport: plays while it rolls, where it is.",
            kind: .toggle, default: .toggle(false)),
        SettingDescription(
            "start-on", summary: "What a start waits for.", kind: .choice(StartPoint.names),
            default: .text("now")),
        SettingDescription(
            "restart",
            summary: "Whether each start is from the beginning; otherwise from where it stopped.",
            kind: .toggle, default: .toggle(false)),
        SettingDescription(
            "polyphony",
            summary:
                "How many may sound at once. Above 1 each trigger starts a cue of its own, and nothing plays by itself.",
            kind: .integer(1...32), default: .number(1)),
        SettingDescription(
            "shuffle", summary: "Plays the list in another order.", kind: .toggle,
            default: .toggle(false)),
        SettingDescription(
            "preload",
            summary:
                "How much is read ahead; files no longer than that are held in memory as a whole. Without it 2 s, and where nobody waits for the sound, files up to a minute are held.",
            unit: .seconds, kind: .number(0.5...600)),
    ]
}

extension StartPoint {
    static let names = ["now", "beat", "bar"]
}
