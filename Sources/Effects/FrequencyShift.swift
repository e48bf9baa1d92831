internal import Processing

/// `frequency-shift`: moves every partial by the same number of Hz.
enum FrequencyShift {
    static let effect = Effect(description: description, makeProcessor: makeProcessor)

    static let description = NodeDescription(
        name: "frequency-shift", label: "Frequency shifter",
        summary:
            "Moves every partial by the same number of Hz, so that harmonics no longer line up: from slow beating to bells and robots.",
        parameters: [
            ParameterDescription(
                "shift", label: "Shift", summary: "How far every partial moves.", unit: .hertz,
                range: -FrequencyShiftKernel.shiftLimitHertz...FrequencyShiftKernel.shiftLimitHertz,
                default: 0),
            ParameterDescription(
                "feedback", label: "Feedback",
                summary:
                    "Share of the shifted signal that is shifted once more, a little over half a millisecond later: spirals that rise or fall without end.",
                range: 0...FrequencyShiftKernel.feedbackLimit, default: 0),
        ],
        settings: [
            SettingDescription(
                "band",
                summary: "Whether what would fold over 0 Hz or Nyquist is removed or folds.",
                kind: .choice(["suppress", "fold"]), default: .text("suppress"))
        ], category: "Pitch")

    @Sendable
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        let kernel = FrequencyShiftKernel(
            channelCount: request.inputChannels, sampleRate: request.format.sampleRate,
            folds: request.settings["band"]?.text == "fold",
            shiftHertz: request.parameters[0], feedback: request.parameters[1])
        let (latencyFrames, tailFrames) = (kernel.latencyFrames, kernel.tailFrames)
        return Processor(
            state: allocateKernel(kernel),
            run: { $0.assumingMemoryBound(to: FrequencyShiftKernel.self).pointee.run($1) },
            set: { $0.assumingMemoryBound(to: FrequencyShiftKernel.self).pointee.set($1, to: $2) },
            reset: { $0.assumingMemoryBound(to: FrequencyShiftKernel.self).pointee.reset() },
            free: { freeKernel($0, as: FrequencyShiftKernel.self) },
            inputCount: request.inputChannels, outputCount: request.inputChannels,
            latencyFrames: latencyFrames, tailFrames: tailFrames, isSplittable: true)
    }
}
