internal import Engine
internal import Pipelines
internal import SoundFiles

/// The files of a request's outputs, checked and ready to be created.
struct OutputTargets {
    private let entries: [(path: String, channels: Range<Int>, skippedFrames: Int)]
    /// One entry per MIDI output of the pipeline.
    let midiFiles: [MIDIOutputFile?]
    /// The largest latency of the recorded outputs, in frames.
    let longestLatencyFrames: Int
    private let sampleRate: Double
    private let lengthFrames: Int

    /// Checks the files that a request names for a pipeline's outputs.
    ///
    /// - Throws: `RenderError` if a name is not that of an output, or if two outputs, or an input
    ///   and an output, share a file.
    init(
        _ pipeline: Pipeline, _ plan: Plan, _ request: RenderRequest, lengthFrames: Int
    ) throws(RenderError) {
        let signals = Signals(pipeline.outputs)
        try signals.check(request.outputs)
        try Self.checkPaths(request)
        sampleRate = request.sampleRate
        self.lengthFrames = lengthFrames
        var entries: [(String, Range<Int>, Int)] = []
        var midiFiles: [MIDIOutputFile?] = []
        var longestLatencyFrames = 0
        for (index, output) in pipeline.outputs.enumerated() {
            let file = request.outputs.first { $0.name == output.name }
            let latency = request.keepsLatency ? 0 : plan.outputs[index].latencyFrames
            if file != nil { longestLatencyFrames = max(longestLatencyFrames, latency) }
            if output.kind == .midi {
                midiFiles.append(
                    file.map {
                        MIDIOutputFile(
                            path: $0.path, skippedFrames: latency, lengthFrames: lengthFrames)
                    })
            }
            guard let file, let signal = signals.named(output.name) else { continue }
            entries.append((file.path, signal.channels, latency))
        }
        self.entries = entries
        self.midiFiles = midiFiles
        self.longestLatencyFrames = longestLatencyFrames
    }

    private static func checkPaths(_ request: RenderRequest) throws(RenderError) {
        let inputs = Set(request.inputs.compactMap { FileIdentity($0.path) })
        var outputs: Set<String> = []
        for path in request.outputs.map(\.path) {
            if let identity = FileIdentity(path), inputs.contains(identity) {
                throw .request("'\(path)' cannot be both an input and an output")
            }
            if !outputs.insert(path).inserted {
                throw .request("two outputs use the file '\(path)'")
            }
        }
    }

    /// Creates the files.
    ///
    /// - Throws: `RenderError` if a file cannot be created.
    func outputFiles(chunkFrames: Int) throws(RenderError) -> [OutputFile] {
        var files: [OutputFile] = []
        for entry in entries {
            do {
                let writer = try SoundFileWriter(
                    path: entry.path, channels: entry.channels.count, sampleRate: sampleRate,
                    expectedFrames: lengthFrames)
                files.append(
                    OutputFile(
                        writer, channels: entry.channels, skippedFrames: entry.skippedFrames,
                        lengthFrames: lengthFrames, chunkFrames: chunkFrames))
            } catch {
                throw .file(error)
            }
        }
        return files
    }
}
