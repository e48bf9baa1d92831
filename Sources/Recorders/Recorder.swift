internal import CRealtime
public import Processing
internal import Realtime
internal import Synchronization

/// The `recorder` effect: passes its input through bit-exactly, and writes it to files.
public enum Recorder {
    /// Creates the effect for a catalogue.
    ///
    /// - Parameters:
    ///   - thread: The thread that writes the takes of live recorders.
    ///   - keepsTakes: `false` to write no files, for example in a measurement.
    /// - Returns: The effect.
    public static func effect(_ thread: DiskThread, keepsTakes: Bool = true) -> Effect {
        Effect(
            description: description,
            inspect: { settings throws(SettingError) in
                try RecorderSettings.check(settings)
                return SettingFacts()
            },
            memoryBytes: memoryBytes,
            makeProcessor: { request throws(PluginError) in
                try makeProcessor(request, thread, keepsTakes)
            })
    }

    static let description = NodeDescription(
        name: "recorder", label: "Recorder",
        summary:
            "Passes the signal unchanged, and writes it to a file while it records. The written part can be read at any time.",
        parameters: RecorderKernel.Parameter.descriptions,
        settings: RecorderSettings.descriptions, requiredSettings: ["file"],
        reports: [
            ReportDescription("recorded", label: "Recorded", unit: .seconds),
            ReportDescription("peak", label: "Peak", unit: .decibels),
            ReportDescription("rms", label: "RMS", unit: .decibels),
            ReportDescription("takes", label: "Takes"),
            ReportDescription("lost-frames", label: "Lost frames", unit: .frames),
            ReportDescription(
                "state", label: "State",
                kind: .choice(["idle", "waiting", "recording", "failed"])),
        ], textReports: [ReportDescription("file", label: "File")], category: "Utility")

    /// Returns an estimate in bytes: the ring of frames and a small constant.
    @Sendable
    private static func memoryBytes(_ request: ProcessorRequest) -> Int {
        guard let settings = try? RecorderSettings(request, isKept: false) else { return 0 }
        return TakeExchange.sampleCount(
            channelCount: request.inputChannels,
            capacityFrames: settings.capacityFrames(for: request.format)
        ).multipliedClamped(by: MemoryLayout<Float>.stride).addingClamped(16_384)
    }

    private static func makeProcessor(
        _ request: ProcessorRequest, _ thread: DiskThread, _ keepsTakes: Bool
    ) throws(PluginError) -> Processor {
        let settings = try RecorderSettings(request, isKept: keepsTakes)
        let owner = try RecorderOwner(settings, request, thread)
        let kernel = RecorderKernel(
            exchange: owner.writer.exchange, limits: settings.limits,
            isRecording: request[RecorderKernel.Parameter.recording] >= 0.5,
            handOver: request.format.isLive ? nil : handOver,
            disk: Unmanaged.passUnretained(owner.writer).toOpaque())
        let reports = UnsafePointer(kernel.reports.start)
        return Processor(
            kernel, owner: owner, inputCount: request.inputChannels,
            outputCount: request.inputChannels, reports: reports,
            reportTexts: { [path = owner.writer.path] _ in [path.text] },
            incidents: owner.writer.incidents)
    }
}

extension RecorderKernel.Parameter: DescribedParameter {
    var description: ParameterDescription {
        switch self {
        case .recording:
            .toggle(
                "recording", label: "Recording",
                summary: "Whether it records; switching it off and on continues the same file."
            ).asTransport
        case .take:
            .trigger(
                "take", label: "New take",
                summary: "Ends the take; recording continues in a new file.")
        }
    }
}

/// Writes the pending frames of an offline run, which can wait for the disk.
private func handOver(_ writer: UnsafeMutableRawPointer) {
    // SAFETY: the processor owns the writer, and only the processor's runs call this function.
    Unmanaged<TakeWriter>.fromOpaque(writer).takeUnretainedValue().writeAll()
}

/// Hands the remaining frames of a removed recorder over to the disk thread.
private final class RecorderOwner {
    let writer: TakeWriter
    private let isLive: Bool
    private let thread: DiskThread

    init(_ settings: RecorderSettings, _ request: ProcessorRequest, _ thread: DiskThread)
        throws(PluginError)
    {
        isLive = request.format.isLive
        writer = try TakeWriter(
            settings.style, capacityFrames: settings.capacityFrames(for: request.format),
            allowance: isLive ? thread.allowance : nil, node: request.node)
        self.thread = thread
        if isLive { thread.add(writer) }
    }

    deinit {
        if isLive {
            writer.isLeft.store(true, ordering: .releasing)
        } else {
            thread.retire(writer)
        }
    }
}
