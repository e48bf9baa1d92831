internal import Processing
internal import Realtime

/// `tuner`: passes the signal unchanged and reports the note that it contains and its deviation in
/// cents.
enum Tuner {
    static let effect = Effect(
        description: description, memoryBytes: KernelMemory.tuner.byteCount,
        makeProcessor: makeProcessor)

    static let description = NodeDescription(
        name: "tuner", label: "Tuner",
        summary:
            "Passes the signal unchanged and reports the pitch of one note, from 38 Hz to 2.2 kHz, in the sum of all channels.",
        parameters: TunerKernel.Parameter.descriptions,
        reports: [
            ReportDescription("frequency", label: "Frequency", unit: .hertz),
            ReportDescription("cents", label: "Deviation", unit: .cents),
            ReportDescription("note", label: "MIDI note"),
            ReportDescription("level", label: "RMS", unit: .decibels),
        ], category: "Analysis")

    @Sendable
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        let kernel = TunerKernel(
            channelCount: request.inputChannels, sampleRate: request.format.sampleRate,
            reference: Double(request[TunerKernel.Parameter.reference]))
        let reports = UnsafePointer(kernel.reports.start)
        return Processor(
            kernel, inputCount: request.inputChannels, outputCount: request.inputChannels,
            reports: reports)
    }
}

extension TunerKernel.Parameter: DescribedParameter {
    var description: ParameterDescription {
        switch self {
        case .reference:
            ParameterDescription(
                "reference", label: "Reference", summary: "The pitch of the A above middle C.",
                unit: .hertz, range: range, default: defaultValue)
        }
    }
}
