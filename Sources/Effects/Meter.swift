internal import Processing
internal import Realtime

/// `meter`: passes the signal unchanged and reports its level.
enum Meter {
    static let effect = Effect(
        description: description, memoryBytes: KernelMemory.meter.byteCount,
        makeProcessor: makeProcessor)

    static let description = NodeDescription(
        name: "meter", label: "Meter",
        summary:
            "Passes the signal unchanged and reports the peak and RMS of all channels together, down to -160 dB.",
        reports: [
            ReportDescription("peak", label: "Peak", unit: .decibels),
            ReportDescription("rms", label: "RMS", unit: .decibels),
        ], category: "Analysis")

    @Sendable
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        let kernel = MeterKernel(
            channelCount: request.inputChannels, sampleRate: request.format.sampleRate)
        let reports = UnsafePointer(kernel.levels.start)
        return Processor(
            kernel, inputCount: request.inputChannels, outputCount: request.inputChannels,
            reports: reports)
    }
}
