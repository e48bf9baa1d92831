internal import Processing
internal import Realtime

/// `feedback-guard`: finds the howls of a live microphone and removes them with notches.
enum FeedbackGuard {
    static let effect = Effect(
        description: description, memoryBytes: KernelMemory.feedbackGuard.byteCount,
        makeProcessor: makeProcessor)

    static let description = NodeDescription(
        name: "feedback-guard", label: "Feedback guard",
        summary:
            "Finds up to 12 howls of a live microphone and removes each with a notch, without latency.",
        parameters: FeedbackGuardKernel.Parameter.descriptions,
        reports: [
            ReportDescription("notches", label: "Notches"),
            ReportDescription("frequency", label: "Newest notch", unit: .hertz),
            ReportDescription("reduction", label: "Depth of the newest", unit: .decibels),
        ], category: "Filter")

    @Sendable
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        let kernel = FeedbackGuardKernel(
            channelCount: request.inputChannels, sampleRate: request.format.sampleRate
        ) { request[$0] }
        let reports = UnsafePointer(kernel.reports.start)
        return Processor(
            kernel, inputCount: request.inputChannels, outputCount: request.inputChannels,
            reports: reports)
    }
}

extension FeedbackGuardKernel.Parameter: DescribedParameter {
    var description: ParameterDescription {
        switch self {
        case .sensitivity:
            ParameterDescription(
                "sensitivity", label: "Sensitivity",
                summary:
                    "How early a rising tone counts as a howl: after a rise of 16 dB at 0, 8 dB at 0.5, 4 dB at 1.",
                range: range, default: defaultValue)
        case .depth:
            ParameterDescription(
                "depth", label: "Depth", summary: "The largest depth of a notch.",
                unit: .decibels, range: range, default: defaultValue)
        case .width:
            ParameterDescription(
                "width", label: "Width",
                summary:
                    "The width of a new notch; notches near each other become one wider notch.",
                unit: .octaves, range: range, default: defaultValue)
        case .release:
            ParameterDescription(
                "release", label: "Release",
                summary:
                    "The time without a howl after which a notch fades away; it doubles each time the howl comes back, up to eight times this value.",
                unit: .seconds, kind: .continuous(.logarithmic), range: range,
                default: defaultValue)
        case .lowest:
            ParameterDescription(
                "lowest", label: "Lowest", summary: "The lowest frequency of a new notch.",
                unit: .hertz, kind: .continuous(.logarithmic), range: range,
                default: defaultValue)
        case .highest:
            ParameterDescription(
                "highest", label: "Highest", summary: "The highest frequency of a new notch.",
                unit: .hertz, kind: .continuous(.logarithmic), range: range,
                default: defaultValue)
        case .hold:
            .toggle(
                "hold", label: "Hold",
                summary: "On: the present notches stay. Off: all can be released.")
        case .clear:
            .trigger("clear", label: "Clear", summary: "Lets all notches fade away at once.")
        }
    }
}
