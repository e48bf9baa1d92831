internal import Processing
internal import Realtime

/// `harmony`: adds up to four voices to one voice.
enum Harmony {
    static let effect = Effect(
        description: description, memoryBytes: memoryBytes, makeProcessor: makeProcessor)

    static let description = NodeDescription(
        name: "harmony", label: "Harmoniser",
        summary:
            "Adds up to four voices to one voice: in steps of a scale, at fixed intervals, or with the notes of a MIDI keyboard (`events`). The input is in the middle, delayed like the voices.",
        channels: .ports(
            inputs: [PortDescription(symbol: "in", label: "In")],
            outputs: [
                PortDescription(symbol: "left", label: "Left"),
                PortDescription(symbol: "right", label: "Right"),
            ]),
        parameters: HarmonyControls.Parameter.descriptions,
        settings: [
            SettingDescription(
                "mode",
                summary: "What determines the notes of the voices.",
                kind: .choice(HarmonyMode.allCases.map(\.rawValue)), default: .text("key")),
            SettingDescription(
                "voices", summary: "The number of voices.",
                kind: .integer(1...HarmonyControls.voiceLimit), default: .number(2)),
        ],
        reports: [
            ReportDescription("note", label: "MIDI note"),
            ReportDescription("cents", label: "Deviation", unit: .cents),
        ]
            + (1...HarmonyControls.voiceLimit).map {
                ReportDescription("note-\($0)", label: "MIDI note of voice \($0)")
            }, receivesEvents: true, category: "Pitch")

    private static func voiceCount(_ request: ProcessorRequest) -> Int {
        let wanted = request.settings["voices"]?.number.map { Int($0) } ?? 2
        return min(max(wanted, 1), HarmonyControls.voiceLimit)
    }

    @Sendable
    private static func memoryBytes(_ request: ProcessorRequest) -> Int {
        let delay = HarmonyVoice.maximumDelayFrames(sampleRate: request.format.sampleRate)
        let voice = (4 * delay).addingClamped(26_000)
        return KernelMemory.harmony.byteCount(request)
            .addingClamped(voice.multipliedClamped(by: voiceCount(request)))
    }

    @Sendable
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        let mode = request.settings["mode"]?.text.flatMap(HarmonyMode.init) ?? .key
        let kernel = HarmonyKernel(
            voiceCount: voiceCount(request), mode: mode, sampleRate: request.format.sampleRate,
            controls: HarmonyControls { request[$0] })
        let reports = UnsafePointer(kernel.reports.start)
        return Processor(
            kernel, inputCount: 1, outputCount: 2, reports: reports, usesMIDIOrTransport: true)
    }
}
