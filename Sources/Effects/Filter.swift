internal import DSP
internal import Processing

/// `filter`: one filter of seven shapes.
enum Filter {
    static let effect = Effect(
        description: description, memoryBytes: KernelMemory.filter.byteCount,
        makeProcessor: makeProcessor)

    static let description = NodeDescription(
        name: "filter", label: "Filter",
        summary:
            "High- and low-pass up to order 8, band-pass, notch, peak and shelves; all values can change while the filter runs.",
        parameters: FilterKernel.Parameter.descriptions, category: "Filter")

    @Sendable
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        Processor(
            FilterKernel(
                channelCount: request.inputChannels, sampleRate: request.format.sampleRate,
                value: { request[$0] }),
            inputCount: request.inputChannels, outputCount: request.inputChannels)
    }
}

extension FilterKernel.Parameter: DescribedParameter {
    var description: ParameterDescription {
        switch self {
        case .shape:
            .choice(
                "shape", label: "Shape", summary: "The type of the filter; a change is crossfaded.",
                of: FilterShape.allCases.map { "\($0)" })
        case .frequency:
            ParameterDescription(
                "frequency", label: "Frequency",
                summary: "The corner or centre frequency, limited to 0.49 of the sample rate.",
                unit: .hertz,
                kind: .continuous(.logarithmic), range: range, default: defaultValue)
        case .gain:
            ParameterDescription(
                "gain", label: "Gain", summary: "The gain of peak and shelves.", unit: .decibels,
                range: range, default: defaultValue)
        case .q:
            ParameterDescription(
                "q", label: "Q",
                summary:
                    "The sharpness. For high- and low-pass it is the resonance at the corner; the default is the flat Butterworth response.",
                kind: .continuous(.logarithmic), range: range, default: defaultValue)
        case .order:
            ParameterDescription(
                "order", label: "Order",
                summary:
                    "The steepness of high- and low-pass, 6 dB per octave each; a change is crossfaded.",
                kind: .integer, range: range, default: defaultValue)
        }
    }
}
