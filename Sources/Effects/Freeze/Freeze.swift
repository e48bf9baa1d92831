internal import Processing
internal import Realtime

/// `freeze`: holds the present chord as a pad.
enum Freeze {
    static let effect = Effect(
        description: description, memoryBytes: KernelMemory.freeze.byteCount,
        makeProcessor: makeProcessor)

    static let description = NodeDescription(
        name: "freeze", label: "Freeze",
        summary:
            "Holds the present chord as a pad at the press of a pedal, while the input passes unchanged.",
        parameters: FreezeKernel.Parameter.descriptions,
        reports: [ReportDescription("chords", label: "Chords")], category: "Time",
        keepsSound: true)

    @Sendable
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        let kernel = FreezeKernel(
            channelCount: request.inputChannels, sampleRate: request.format.sampleRate
        ) { request[$0] }
        let reports = UnsafePointer(kernel.reports.start)
        return Processor(
            kernel, inputCount: request.inputChannels, outputCount: request.inputChannels,
            reports: reports)
    }
}

extension FreezeKernel.Parameter: DescribedParameter {
    var description: ParameterDescription {
        switch self {
        case .hold:
            .toggle(
                "hold", label: "Hold",
                summary: "On: holds the chord of this moment. Off: lets all chords fade away.")
        case .add:
            .trigger(
                "add", label: "Add",
                summary:
                    "Holds the chord of this moment in addition, while `hold` is on; up to four at once."
            )
        case .level:
            ParameterDescription(
                "level", label: "Level", summary: "The level of the pad; -120 dB is silence.",
                unit: .decibels, range: range, default: defaultValue)
        case .dry:
            ParameterDescription(
                "dry", label: "Dry", summary: "The level of the input; -120 dB is silence.",
                unit: .decibels, range: range, default: defaultValue)
        case .attack:
            ParameterDescription(
                "attack", label: "Attack", summary: "The time in which a chord fades in.",
                unit: .milliseconds, range: range, default: defaultValue)
        case .decay:
            ParameterDescription(
                "decay", label: "Decay",
                summary: "The time in which a held chord falls by 60 dB; 0 keeps it for ever.",
                unit: .seconds, range: range, default: defaultValue)
        case .release:
            ParameterDescription(
                "release", label: "Release",
                summary: "The time in which a chord falls by 60 dB after `hold` went off.",
                unit: .seconds, range: range, default: defaultValue)
        case .shimmer:
            ParameterDescription(
                "shimmer", label: "Shimmer",
                summary: "The level of the octave above, which fades in slowly.", range: range,
                default: defaultValue)
        }
    }
}
