internal import DSP
internal import Processing

/// `filter`: one filter of seven shapes.
enum Filter {
    static let effect = Effect(description: description, makeProcessor: makeProcessor)

    static let description = NodeDescription(
        name: "filter", label: "Filter",
        summary:
            "High- and low-pass up to order 8, band-pass, notch, peak and shelves, all of which may move while they sound.",
        parameters: [
            .choice(
                "shape", label: "Shape", summary: "What the filter does; a change is crossfaded.",
                of: FilterShape.allCases.map { "\($0)" }),
            ParameterDescription(
                "frequency", label: "Frequency",
                summary: "Corner or centre; held below 0.49 of the sample rate.", unit: .hertz,
                kind: .continuous(.logarithmic), range: 10...20_000, default: 1000),
            ParameterDescription(
                "gain", label: "Gain", summary: "Of peak and shelves.", unit: .decibels,
                range: -36...36, default: 0),
            ParameterDescription(
                "q", label: "Q",
                summary:
                    "Sharpness; of high- and low-pass the resonance at the corner, with Butterworth's flat response at the default.",
                kind: .continuous(.logarithmic), range: 0.1...40, default: 0.7071),
            ParameterDescription(
                "order", label: "Order",
                summary:
                    "Steepness of high- and low-pass, 6 dB an octave each; a change is crossfaded.",
                kind: .integer, range: 1...8, default: 2),
        ], category: "Filter")

    @Sendable
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        let kernel = FilterKernel(
            channelCount: request.inputChannels, sampleRate: request.format.sampleRate,
            parameters: request.parameters)
        let tailFrames = kernel.tailFrames
        return Processor(
            state: allocateKernel(kernel),
            run: { $0.assumingMemoryBound(to: FilterKernel.self).pointee.run($1) },
            set: { $0.assumingMemoryBound(to: FilterKernel.self).pointee.set($1, to: $2) },
            reset: { $0.assumingMemoryBound(to: FilterKernel.self).pointee.reset() },
            free: { freeKernel($0, as: FilterKernel.self) },
            inputCount: request.inputChannels, outputCount: request.inputChannels,
            latencyFrames: 0, tailFrames: tailFrames, isSplittable: true)
    }
}
