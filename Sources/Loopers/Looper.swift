internal import CRealtime
internal import DSP
public import Processing
internal import Realtime

/// The `looper` effect: records loops and plays them with its input.
public enum Looper {
    /// Creates the effect for a catalogue.
    public static func effect() -> Effect {
        Effect(
            description: description,
            inspect: { settings throws(SettingError) in
                if let path = settings["file"]?.text { try LoopFile(path: path).check() }
                return SettingFacts()
            },
            memoryBytes: { request in
                LooperSettings(request.settings).sizes(request).byteCount.addingClamped(
                    SaveExchange.byteCount(channelCount: request.inputChannels))
            },
            makeProcessor: { request throws(PluginError) in try makeProcessor(request) })
    }

    static let description = NodeDescription(
        name: "looper", label: "Looper",
        summary:
            "Records a loop and plays it, with overdubs, undo, multiply and insert, on the beat and without seams.",
        parameters: LooperKernel.Parameter.descriptions, settings: LooperSettings.descriptions,
        reports: [
            ReportDescription("state", label: "State"),
            ReportDescription("waiting", label: "Waiting"),
            ReportDescription("position", label: "Position", unit: .seconds),
            ReportDescription("length", label: "Length", unit: .seconds),
            ReportDescription("cycle", label: "Cycle"),
            ReportDescription("undo-layers", label: "Layers to undo"),
            ReportDescription("redo-layers", label: "Layers to redo"),
        ], category: "Utility", keepsSound: true)

    private static func makeProcessor(_ request: ProcessorRequest) throws(PluginError) -> Processor
    {
        let settings = LooperSettings(request.settings)
        let sizes = settings.sizes(request)
        guard let samples = SampleMemory.zeros(sizes.store.sampleCount) else {
            throw .noMemory(forBytes: sizes.byteCount)
        }
        var core = LoopCore(sizes, LoopStore(samples, sizes.store), quantize: settings.quantize)
        let file = settings.file.map { LoopFile(path: $0) }
        if let file, file.exists { try load(file, into: &core, sizes, request) }
        let owner = file.flatMap { LooperOwner($0, request) }
        let kernel = LooperKernel(core, settings, request, exchange: owner?.saver.exchange)
        let reports = UnsafePointer(kernel.reports.start)
        return Processor(
            kernel, owner: owner, inputCount: request.inputChannels,
            outputCount: request.inputChannels, reports: reports, followsTempo: true,
            followsTransport: true, incidents: owner?.saver.incidents)
    }

    private static func load(
        _ file: LoopFile, into core: inout LoopCore, _ sizes: LoopSizes,
        _ request: ProcessorRequest
    ) throws(PluginError) {
        let sound = try file.sound(
            sampleRate: request.format.sampleRate,
            frames: core.track.minimumFrames...sizes.maximumFrames)
        let frames = sound.first?.count ?? 0
        // A loop of whole beats keeps the fraction of a frame that its file cannot have.
        let framesPerBeat = request.format.sampleRate * 60 / max(1, request.tempo)
        let beats = (Double(frames) / framesPerBeat).rounded()
        let isOnBeat = beats >= 1 && abs(beats * framesPerBeat - Double(frames)) < 1
        core.load(frames: frames, periodFrames: isOnBeat ? beats * framesPerBeat : Double(frames)) {
            sound[min($1, sound.count - 1)][$0]
        }
    }
}

/// Keeps the thread of a live looper's file.
private final class LooperOwner {
    let saver: LoopSaver

    /// Starts the thread; `nil` offline, or if the system has no thread left.
    init?(_ file: LoopFile, _ request: ProcessorRequest) {
        guard request.format.isLive else { return nil }
        saver = LoopSaver(
            file, channelCount: request.inputChannels, sampleRate: request.format.sampleRate)
        guard saver.start() else { return nil }
    }

    deinit { saver.leave() }
}
