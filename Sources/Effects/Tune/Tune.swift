internal import Processing
internal import Realtime

/// `tune`: moves the pitch of one voice to the notes of a scale.
enum Tune {
    static let effect = Effect(
        description: description, inspect: inspect, memoryBytes: KernelMemory.tune.byteCount,
        makeProcessor: makeProcessor)

    static let description = NodeDescription(
        name: "tune", label: "Pitch correction",
        summary:
            "Moves the pitch of one voice to the nearest note of a scale, or of the notes that are held on a MIDI keyboard (`events`), in any octave. Formants stay, and sound without a pitch passes unchanged.",
        parameters: TuneControls.Parameter.descriptions,
        settings: [
            SettingDescription(
                "notes",
                summary:
                    "The notes that are allowed in all octaves, such as `\"C Eb F G Bb\"`; they replace `key` and `scale`.",
                kind: .text)
        ],
        reports: [
            ReportDescription("note", label: "MIDI note"),
            ReportDescription("cents", label: "Deviation", unit: .cents),
            ReportDescription("correction", label: "Correction", unit: .cents),
        ], receivesEvents: true, category: "Pitch")

    @Sendable
    private static func inspect(_ settings: [String: SettingValue]) throws(SettingError)
        -> SettingFacts
    {
        guard let text = settings["notes"]?.text else { return SettingFacts() }
        if case .failure(let unknown) = NoteName.set(from: text) {
            throw SettingError(
                "notes", .range,
                "\"\(unknown.text)\" is not a note; use the letters A to G with # or b, separated by spaces"
            )
        }
        return SettingFacts()
    }

    @Sendable
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        let notes = request.settings["notes"]?.text.flatMap { try? NoteName.set(from: $0).get() }
        let kernel = TuneKernel(
            channelCount: request.inputChannels, sampleRate: request.format.sampleRate,
            controls: TuneControls(notes: notes) { request[$0] })
        let reports = UnsafePointer(kernel.reports.start)
        return Processor(
            kernel, inputCount: request.inputChannels, outputCount: request.inputChannels,
            reports: reports, usesMIDIOrTransport: true)
    }
}

extension TuneControls.Parameter: DescribedParameter {
    var description: ParameterDescription {
        switch self {
        case .key:
            .choice(
                "key", label: "Key", summary: "The root of the scale.", of: NoteName.all)
        case .scale:
            .choice(
                "scale", label: "Scale",
                summary: "The scale; `chromatic` allows all twelve notes in every key.",
                of: MusicalScale.allCases.map(\.name))
        case .amount:
            ParameterDescription(
                "amount", label: "Amount",
                summary: "How much of the deviation is corrected; at 0 the sound is unchanged.",
                range: range, default: defaultValue)
        case .speed:
            ParameterDescription(
                "speed", label: "Speed",
                summary:
                    "How soon the pitch is corrected: nearly two thirds of the way in this time. Longer times keep glides and vibrato.",
                unit: .milliseconds, range: range, default: defaultValue)
        case .vibrato:
            ParameterDescription(
                "vibrato", label: "Vibrato",
                summary:
                    "How much vibrato remains in notes longer than 0.1 s: 0 makes it flat, 1 keeps it, 2 doubles it.",
                range: range, default: defaultValue)
        case .humanise:
            ParameterDescription(
                "humanise", label: "Humanise",
                summary: "How much more slowly long notes are corrected.", range: range,
                default: defaultValue)
        case .reference:
            ParameterDescription(
                "reference", label: "Reference", summary: "The pitch of the A above middle C.",
                unit: .hertz, range: range, default: defaultValue)
        }
    }
}
