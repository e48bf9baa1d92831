internal import Processing

/// `tuner`: passes its signal on to the bit and reports which note it hears, and how far off that is.
enum Tuner {
    static let effect = Effect(description: description, makeProcessor: makeProcessor)

    static let description = NodeDescription(
        name: "tuner", label: "Tuner",
        summary:
            "Passes the signal on and reports the pitch of one note from 38 Hz to 2.2 kHz, of all channels together.",
        parameters: [
            ParameterDescription(
                "reference", label: "Reference", summary: "What the A above middle C is at.",
                unit: .hertz, range: 400...480, default: 440)
        ],
        reports: [
            ReportDescription("frequency", label: "Frequency", unit: .hertz),
            ReportDescription("cents", label: "Off the note", unit: .cents),
            ReportDescription("note", label: "MIDI note"),
            ReportDescription("level", label: "RMS", unit: .decibels),
        ], category: "Analysis")

    @Sendable
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        let kernel = TunerKernel(
            channelCount: request.inputChannels, sampleRate: request.format.sampleRate,
            reference: Double(request.parameters[0]))
        let reports = kernel.reports
        return Processor(
            state: allocateKernel(kernel),
            run: { $0.assumingMemoryBound(to: TunerKernel.self).pointee.run($1) },
            set: { $0.assumingMemoryBound(to: TunerKernel.self).pointee.set($1, to: $2) },
            reset: { $0.assumingMemoryBound(to: TunerKernel.self).pointee.reset() },
            free: { freeKernel($0, as: TunerKernel.self) },
            inputCount: request.inputChannels, outputCount: request.inputChannels,
            latencyFrames: 0, tailFrames: 0, isSplittable: true, reports: UnsafePointer(reports))
    }
}
