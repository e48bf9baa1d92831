internal import Processing

/// The checked settings of a looper.
struct LooperSettings {
    let maximumSeconds: Double
    let historySeconds: Double
    let quantize: LoopQuantize
    /// The round trip in seconds; `nil` if JACK's latencies determine it.
    let roundTripSeconds: Double?
    /// The file that is loaded and saved; `nil` without a file.
    let file: String?

    static let descriptions = [
        SettingDescription(
            "maximum", summary: "The longest loop; its memory is allocated at the start.",
            unit: .seconds, kind: .number(1...3600), default: .number(defaultMaximumSeconds)),
        SettingDescription(
            "history",
            summary:
                "How much overdubbed sound undo and redo can hold; the oldest overdubs are forgotten first. Default: as much as `maximum`.",
            unit: .seconds, kind: .number(0...3600)),
        SettingDescription(
            "quantize",
            summary:
                "When record, play, stop, reverse and speed act: at once, at the next beat, bar or start of the loop.",
            kind: .choice(quantizeNames), default: .text("off")),
        SettingDescription(
            "latency",
            summary:
                "The time from the output through the room to the input, by which recordings are moved back. Default: the latencies that JACK reports.",
            unit: .milliseconds, kind: .number(0...1000 * LoopSizes.maximumRoundTripSeconds)),
        SettingDescription(
            "file",
            summary: "The WAV file that `save` writes; if it exists, the looper starts with it.",
            kind: .path),
    ]

    private static let quantizeNames = ["off", "beat", "bar", "loop"]
    private static let defaultMaximumSeconds = 60.0

    /// Reads settings whose kinds have been checked.
    init(_ settings: [String: SettingValue]) {
        maximumSeconds = settings["maximum"]?.number ?? Self.defaultMaximumSeconds
        historySeconds = settings["history"]?.number ?? maximumSeconds
        let name = settings["quantize"]?.text ?? "off"
        quantize =
            Self.quantizeNames.firstIndex(of: name).flatMap { LoopQuantize(rawValue: $0) } ?? .off
        roundTripSeconds = settings["latency"]?.number.map { $0 / 1000 }
        file = settings["file"]?.text
    }

    /// Returns the sizes of the memory.
    func sizes(_ request: ProcessorRequest) -> LoopSizes {
        LoopSizes(
            sampleRate: request.format.sampleRate, channelCount: request.inputChannels,
            maximumSeconds: maximumSeconds, historySeconds: historySeconds)
    }
}
