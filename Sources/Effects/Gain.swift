internal import Processing

/// `gain`: level, balance, mute and polarity.
enum Gain {
    static let effect = Effect(
        description: description, memoryBytes: KernelMemory.gain.byteCount,
        makeProcessor: makeProcessor)

    static let description = NodeDescription(
        name: "gain", label: "Gain",
        summary: "The level; -120 dB is silence.",
        parameters: GainKernel.Parameter.descriptions, category: "Level")

    @Sendable
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        Processor(
            GainKernel(
                channelCount: request.inputChannels, sampleRate: request.format.sampleRate,
                fader: Fader(
                    decibels: Double(request[GainKernel.Parameter.gain]),
                    pan: Double(request[GainKernel.Parameter.pan]),
                    isMuted: request[GainKernel.Parameter.mute] >= 0.5,
                    isInverted: request[GainKernel.Parameter.invert] >= 0.5)),
            inputCount: request.inputChannels, outputCount: request.inputChannels)
    }
}

extension GainKernel.Parameter: DescribedParameter {
    var description: ParameterDescription {
        switch self {
        case .gain:
            ParameterDescription(
                "gain", label: "Gain", summary: "The level; -120 dB is silence.", unit: .decibels,
                range: -120...24, default: 0)
        case .pan:
            ParameterDescription(
                "pan", label: "Balance",
                summary:
                    "The balance of two channels, from left (-1) to right (1): the opposite channel fades. Signals with other channel counts pass unchanged.",
                range: -1...1, default: 0)
        case .mute: .toggle("mute", label: "Mute", summary: "Silences the signal.")
        case .invert: .toggle("invert", label: "Invert", summary: "Inverts the polarity.")
        }
    }
}
