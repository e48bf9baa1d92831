internal import DSP
internal import Processing

/// `mixer`: sums strips of any width.
enum Mixer {
    static let effect = Effect(
        description: description, memoryBytes: KernelMemory.mixer.byteCount,
        makeProcessor: makeProcessor)

    fileprivate static let gainRange: ClosedRange<Float> = -120...24

    static let description = NodeDescription(
        name: "mixer", label: "Mixer",
        summary: "Sums its strips; each has a level, pan, mute, solo and polarity.",
        channels: .mixer, parameters: MixerKernel.Parameter.descriptions,
        stripParameters: MixerStrip.Parameter.descriptions,
        settings: [
            SettingDescription(
                "channels",
                summary: "The number of channels of the sum; by default that of the widest strip.",
                kind: .integer(1...64)),
            SettingDescription(
                "pan-law",
                summary:
                    "The level of a mono strip in both channels when it is in the middle.",
                unit: .decibels, kind: .numberChoice([-3, -4.5, -6, 0]), default: .number(-3)),
        ], category: "Mixer")

    @Sendable
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        Processor(
            MixerKernel(
                stripChannels: request.stripChannels, outputChannels: request.outputChannels,
                panLaw: PanLaw(centreDecibels: request.settings["pan-law"]?.number ?? -3),
                sampleRate: request.format.sampleRate, values: request.parameters),
            inputCount: request.stripChannels.reduce(0, +), outputCount: request.outputChannels)
    }
}

extension MixerKernel.Parameter: DescribedParameter {
    var description: ParameterDescription {
        switch self {
        case .gain:
            ParameterDescription(
                "gain", label: "Master gain", summary: "The level of the sum; -120 dB is silence.",
                unit: .decibels, range: Mixer.gainRange, default: 0)
        }
    }
}

extension MixerStrip.Parameter: DescribedParameter {
    var description: ParameterDescription {
        switch self {
        case .gain:
            ParameterDescription(
                "gain", label: "Gain", summary: "The level of the strip; -120 dB is silence.",
                unit: .decibels, range: range, default: defaultValue)
        case .pan:
            ParameterDescription(
                "pan", label: "Pan",
                summary:
                    "The position between two channels: -1 is left, 1 is right. On a two-channel strip it is the balance.",
                range: range, default: defaultValue)
        case .mute: .toggle("mute", label: "Mute", summary: "Silences the strip.")
        case .solo:
            .toggle("solo", label: "Solo", summary: "Silences all strips that are not solo.")
        case .invert:
            .toggle("invert", label: "Invert", summary: "Inverts the polarity of the strip.")
        }
    }
}
