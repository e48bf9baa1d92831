internal import Processing

/// `pitch-shift`: moves every partial by the same interval.
enum PitchShift {
    static let effect = Effect(
        description: description, memoryBytes: memoryBytes, makeProcessor: makeProcessor)

    static let description = NodeDescription(
        name: "pitch-shift", label: "Pitch shifter",
        summary:
            "Moves all pitches by the same interval, as a change of key does: a whole mix in `music` mode, or one voice in `voice` mode, which keeps its formants.",
        parameters: PitchControls.Parameter.descriptions,
        settings: [
            SettingDescription(
                "mode",
                summary: "The kind of signal: one voice, at the lowest latency, or any signal.",
                kind: .choice(["voice", "music"]), default: .text("music")),
            SettingDescription(
                "formants",
                summary:
                    "Whether formants stay in place or follow the pitch. By default they follow in `music` mode and stay in `voice` mode.",
                kind: .choice(["preserve", "follow"])),
            SettingDescription(
                "quality",
                summary:
                    "In `music` mode: the least latency (12 ms), 23 ms with less load, or 45 ms for the purest chords. `voice` mode ignores it.",
                kind: .choice(["fast", "live", "high"]), default: .text("live")),
        ], category: "Pitch")

    /// The engine that the settings choose.
    private enum Engine {
        case voice, fast, music

        init(_ request: ProcessorRequest) {
            if request.settings["mode"]?.text == "voice" {
                self = .voice
            } else {
                self = request.settings["quality"]?.text == "fast" ? .fast : .music
            }
        }
    }

    @Sendable
    private static func memoryBytes(_ request: ProcessorRequest) -> Int {
        let memory: KernelMemory =
            switch Engine(request) {
            case .voice: .voiceShift
            case .fast: .fastShift
            case .music: .musicShift
            }
        return memory.byteCount(request)
    }

    @Sendable
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        switch Engine(request) {
        case .voice: VoiceShift.makeProcessor(request)
        case .fast: FastShift.makeProcessor(request)
        case .music: MusicShift.makeProcessor(request)
        }
    }
}

extension PitchControls.Parameter: DescribedParameter {
    var description: ParameterDescription {
        switch self {
        case .semitones:
            ParameterDescription(
                "semitones", label: "Semitones", summary: "How far the pitch moves.",
                unit: .semitones, range: range, default: defaultValue)
        case .cents:
            ParameterDescription(
                "cents", label: "Cents", summary: "Added to `semitones`.", unit: .cents,
                range: range, default: defaultValue)
        case .formantSemitones:
            ParameterDescription(
                "formant-semitones", label: "Formants",
                summary:
                    "How far the formants move from where `formants` puts them: up for a smaller throat, down for a larger one.",
                unit: .semitones, range: range, default: defaultValue)
        }
    }
}
