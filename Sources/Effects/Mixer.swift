internal import DSP
internal import Processing

/// `mixer`: strips of any width, summed.
enum Mixer {
    static let effect = Effect(description: description, makeProcessor: makeProcessor)

    private static let gainRange: ClosedRange<Float> = -120...24

    static let description = NodeDescription(
        name: "mixer", label: "Mixer",
        summary: "Sums its strips, each with level, pan, mute, solo and polarity of its own.",
        channels: .mixer,
        parameters: [
            ParameterDescription(
                "gain", label: "Master gain", summary: "Level of the sum; -120 dB is silence.",
                unit: .decibels, range: gainRange, default: 0)
        ],
        stripParameters: [
            ParameterDescription(
                "gain", label: "Gain", summary: "Level of the strip; -120 dB is silence.",
                unit: .decibels, range: gainRange, default: 0),
            ParameterDescription(
                "pan", label: "Pan",
                summary:
                    "Place between two channels: -1 is left, 1 is right. On a strip of two channels it is the balance.",
                range: -1...1, default: 0),
            .toggle("mute", label: "Mute", summary: "Silences the strip."),
            .toggle("solo", label: "Solo", summary: "Silences every strip that is not on solo."),
            .toggle("invert", label: "Invert", summary: "Inverts the strip's polarity."),
        ],
        settings: [
            SettingDescription(
                "channels",
                summary: "Channels of the sum; without it, as many as the widest strip has.",
                kind: .integer(1...64)),
            SettingDescription(
                "pan-law",
                summary:
                    "Level of a mono strip on both of two channels while it stands in the middle.",
                unit: .decibels, kind: .numberChoice([-3, -4.5, -6, 0]), default: .number(-3)),
        ], category: "Mixer")

    @Sendable
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        let kernel = MixerKernel(
            stripChannels: request.stripChannels, outputChannels: request.outputChannels,
            panLaw: PanLaw(centreDecibels: request.settings["pan-law"]?.number ?? -3),
            sampleRate: request.format.sampleRate, parameters: request.parameters)
        return Processor(
            state: allocateKernel(kernel),
            run: { $0.assumingMemoryBound(to: MixerKernel.self).pointee.run($1) },
            set: { $0.assumingMemoryBound(to: MixerKernel.self).pointee.set($1, to: $2) },
            reset: { $0.assumingMemoryBound(to: MixerKernel.self).pointee.reset() },
            free: { freeKernel($0, as: MixerKernel.self) },
            inputCount: request.stripChannels.reduce(0, +), outputCount: request.outputChannels,
            latencyFrames: 0, tailFrames: 0, isSplittable: true)
    }
}
