internal import CRealtime
public import Processing
internal import Synchronization

/// `recorder`: passes its signal on to the bit, and writes what passes into files.
public enum Recorder {
    /// The effect.
    ///
    /// - Parameters:
    ///   - thread: Writes the takes while it plays live.
    ///   - keepsTakes: False where the sound is not worth a file, as in a measurement: all is done but writing.
    /// - Returns: What a catalogue lists.
    public static func effect(_ thread: DiskThread, keepsTakes: Bool = true) -> Effect {
        Effect(
            description: description,
            inspect: { settings throws(SettingFault) in
                try RecorderSettings.check(settings)
                return SettingFacts()
            },
            makeProcessor: { request throws(PluginFault) in
                try makeProcessor(request, thread, keepsTakes)
            })
    }

    static let description = NodeDescription(
        name: "recorder", label: "Recorder",
        summary:
            "Passes the signal on to the bit, and writes it to a file while it records. What was written can be read at every moment.",
        parameters: [
            .toggle(
                "recording", label: "Recording",
                summary: "Whether it records; off and on again goes on in the same file."),
            .toggle(
                "take", label: "New take",
                summary: "Turned on, ends this take; what follows goes into a new file."),
        ],
        settings: RecorderSettings.descriptions, requiredSettings: ["file"],
        reports: [
            ReportDescription("recorded", label: "Recorded", unit: .seconds),
            ReportDescription("peak", label: "Peak", unit: .decibels),
            ReportDescription("rms", label: "RMS", unit: .decibels),
            ReportDescription("takes", label: "Takes"),
            ReportDescription("lost-frames", label: "Lost", unit: .frames),
            ReportDescription("state", label: "State"),
        ], category: "Utility")

    private static func makeProcessor(
        _ request: ProcessorRequest, _ thread: DiskThread, _ keepsTakes: Bool
    ) throws(PluginFault) -> Processor {
        let settings = try RecorderSettings(request, isKept: keepsTakes)
        let owner = RecorderOwner(settings, request.format, thread)
        let kernel = RecorderKernel(
            exchange: owner.writer.exchange, limits: settings.limits,
            isRecording: request.parameters[0] >= 0.5, takeSwitch: request.parameters[1] >= 0.5,
            handOver: request.format.isLive ? nil : handOver,
            disk: Unmanaged.passUnretained(owner.writer).toOpaque())
        let reports = kernel.reports
        let place = UnsafeMutablePointer<RecorderKernel>.allocate(capacity: 1)
        place.initialize(to: kernel)
        return Processor(
            state: UnsafeMutableRawPointer(place),
            run: { $0.assumingMemoryBound(to: RecorderKernel.self).pointee.run($1) },
            set: { $0.assumingMemoryBound(to: RecorderKernel.self).pointee.set($1, $2) },
            reset: { $0.assumingMemoryBound(to: RecorderKernel.self).pointee.reset() },
            free: free, owner: owner, inputCount: request.inputChannels,
            outputCount: request.inputChannels, latencyFrames: 0, tailFrames: 0,
            isSplittable: true, reports: UnsafePointer(reports),
            incidents: owner.writer.incidents)
    }
}

/// Writes at once what a run that may wait has left.
private func handOver(_ writer: UnsafeMutableRawPointer) {
    // SAFETY: the processor owns the writer, and this is called by its runs alone.
    Unmanaged<TakeWriter>.fromOpaque(writer).takeUnretainedValue().writeAll()
}

private func free(_ state: UnsafeMutableRawPointer) {
    // SAFETY: the processor made the state of this type, and nobody else holds it.
    let place = state.assumingMemoryBound(to: RecorderKernel.self)
    place.deinitialize(count: 1)
    place.deallocate()
}

/// Leaves what a recorder that is gone has recorded to the disk.
private final class RecorderOwner {
    let writer: TakeWriter
    private let isLive: Bool
    private let thread: DiskThread

    init(_ settings: RecorderSettings, _ format: AudioFormat, _ thread: DiskThread) {
        writer = TakeWriter(
            settings.style, capacityFrames: settings.capacityFrames(for: format))
        isLive = format.isLive
        self.thread = thread
        if isLive { thread.add(writer) }
    }

    deinit {
        if isLive {
            writer.isLeft.store(true, ordering: .releasing)
        } else {
            thread.farewell(writer)
        }
    }
}
