internal import Processing

/// `frequency-shift`: moves every partial by the same number of Hz.
enum FrequencyShift {
    static let effect = Effect(
        description: description, memoryBytes: KernelMemory.frequencyShift.byteCount,
        makeProcessor: makeProcessor)

    static let description = NodeDescription(
        name: "frequency-shift", label: "Frequency shifter",
        summary:
            "Moves every partial by the same number of Hz, so harmonics are no longer multiples: from slow beating to bells and robots.",
        parameters: FrequencyShiftKernel.Parameter.descriptions,
        settings: [
            SettingDescription(
                "band",
                summary:
                    "Whether partials that cross 0 Hz or half the sample rate are removed or folded back.",
                kind: .choice(["suppress", "fold"]), default: .text("suppress"))
        ], category: "Pitch")

    @Sendable
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        Processor(
            FrequencyShiftKernel(
                channelCount: request.inputChannels, sampleRate: request.format.sampleRate,
                folds: request.settings["band"]?.text == "fold",
                shiftHertz: request[FrequencyShiftKernel.Parameter.shift],
                feedback: request[FrequencyShiftKernel.Parameter.feedback]),
            inputCount: request.inputChannels, outputCount: request.inputChannels)
    }
}

extension FrequencyShiftKernel.Parameter: DescribedParameter {
    var description: ParameterDescription {
        switch self {
        case .shift:
            ParameterDescription(
                "shift", label: "Shift", summary: "How far every partial moves.", unit: .hertz,
                range: range, default: defaultValue)
        case .feedback:
            ParameterDescription(
                "feedback", label: "Feedback",
                summary:
                    "The share of the output that is shifted again, just over half a millisecond later: endlessly rising or falling spirals.",
                range: range, default: defaultValue)
        }
    }
}
