internal import Processing

/// `meter`: passes its signal on to the bit and reports how loud it is.
enum Meter {
    static let effect = Effect(description: description, makeProcessor: makeProcessor)

    static let description = NodeDescription(
        name: "meter", label: "Meter",
        summary:
            "Passes the signal on and reports its peak and RMS of all channels together, down to -160 dB.",
        reports: [
            ReportDescription("peak", label: "Peak", unit: .decibels),
            ReportDescription("rms", label: "RMS", unit: .decibels),
        ], category: "Analysis")

    @Sendable
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        let kernel = MeterKernel(
            channelCount: request.inputChannels, sampleRate: request.format.sampleRate)
        let levels = kernel.levels
        return Processor(
            state: allocateKernel(kernel),
            run: { $0.assumingMemoryBound(to: MeterKernel.self).pointee.run($1) },
            set: { _, _, _ in },
            reset: { $0.assumingMemoryBound(to: MeterKernel.self).pointee.reset() },
            free: { freeKernel($0, as: MeterKernel.self) },
            inputCount: request.inputChannels, outputCount: request.inputChannels,
            latencyFrames: 0, tailFrames: 0, isSplittable: true, reports: UnsafePointer(levels))
    }
}
