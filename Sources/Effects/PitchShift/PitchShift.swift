internal import Processing

/// `pitch-shift`: moves every partial by the same interval.
enum PitchShift {
    static let effect = Effect(description: description, makeProcessor: makeProcessor)

    static let description = NodeDescription(
        name: "pitch-shift", label: "Pitch shifter",
        summary:
            "Moves everything by the same interval, as another key would: a whole mix in `music` mode, or one voice in `voice` mode, whose formants stay where they are.",
        parameters: [
            ParameterDescription(
                "semitones", label: "Semitones", summary: "How far the pitch moves.",
                unit: .semitones,
                range: -PitchControls.limitSemitones...PitchControls.limitSemitones, default: 0),
            ParameterDescription(
                "cents", label: "Cents", summary: "Moves the pitch a little farther.", unit: .cents,
                range: -PitchControls.limitCents...PitchControls.limitCents, default: 0),
            ParameterDescription(
                "formant-semitones", label: "Formants",
                summary:
                    "How far the formants move from where `formants` leaves them: up for a smaller, down for a larger throat.",
                unit: .semitones,
                range: -PitchControls.limitSemitones...PitchControls.limitSemitones, default: 0),
        ],
        settings: [
            SettingDescription(
                "mode",
                summary:
                    "What is played: one voice, at the lowest latency, or anything at all.",
                kind: .choice(["voice", "music"]), default: .text("music")),
            SettingDescription(
                "formants",
                summary:
                    "Whether formants stay in place or follow the pitch. By default they follow in `music` mode and stay in `voice` mode.",
                kind: .choice(["preserve", "follow"])),
            SettingDescription(
                "quality",
                summary:
                    "In `music` mode, the lowest latency (23 ms), or twice that for purer chords and bass. `voice` mode ignores it.",
                kind: .choice(["live", "high"]), default: .text("live")),
        ], category: "Pitch")

    @Sendable
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        request.settings["mode"]?.text == "voice"
            ? VoiceShift.makeProcessor(request) : MusicShift.makeProcessor(request)
    }
}
