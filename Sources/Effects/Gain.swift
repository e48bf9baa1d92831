internal import Processing

/// `gain`: level, balance, mute and polarity.
enum Gain {
    static let effect = Effect(description: description, makeProcessor: makeProcessor)

    static let description = NodeDescription(
        name: "gain", label: "Gain",
        summary: "Sets the level, and for two channels the balance; mutes and inverts.",
        parameters: [
            ParameterDescription(
                "gain", label: "Gain", summary: "Level; -120 dB is silence.", unit: .decibels,
                range: -120...24, default: 0),
            ParameterDescription(
                "pan", label: "Balance",
                summary:
                    "Leans two channels to the left (-1) or right (1) by fading the far one; other channel counts stay as they are.",
                range: -1...1, default: 0),
            .toggle("mute", label: "Mute", summary: "Silences the signal."),
            .toggle("invert", label: "Invert", summary: "Inverts the polarity."),
        ], category: "Level")

    @Sendable
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        let kernel = GainKernel(
            channelCount: request.inputChannels, sampleRate: request.format.sampleRate,
            parameters: request.parameters.map(Double.init))
        return Processor(
            state: allocateKernel(kernel),
            run: { $0.assumingMemoryBound(to: GainKernel.self).pointee.run($1) },
            set: { $0.assumingMemoryBound(to: GainKernel.self).pointee.set($1, to: $2) },
            reset: { $0.assumingMemoryBound(to: GainKernel.self).pointee.reset() },
            free: { freeKernel($0, as: GainKernel.self) },
            inputCount: request.inputChannels, outputCount: request.inputChannels,
            latencyFrames: 0, tailFrames: 0, isSplittable: true)
    }
}
