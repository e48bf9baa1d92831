internal import Engine
internal import LV2
internal import Pipelines
internal import Processing

/// What checking one file came to.
struct CheckReport {
    private let file: String
    private let sampleRate: Double
    private let result: Result<Contents, InvalidPipeline>

    /// What a valid file holds.
    private enum Contents {
        case pipeline(CheckedPipeline)
        case setlist(Setlist, [CheckedPipeline])
    }

    /// Checks a pipeline or a setlist, and prepares what it describes once.
    init(_ file: String, catalogue: Catalogue, plugins: PluginList, sampleRate: Double) {
        self.file = file
        self.sampleRate = sampleRate
        do throws(InvalidPipeline) {
            result = .success(try Self.contents(of: file, catalogue, plugins, sampleRate))
        } catch {
            result = .failure(error)
        }
    }

    private static func contents(
        of file: String, _ catalogue: Catalogue, _ plugins: PluginList, _ sampleRate: Double
    ) throws(InvalidPipeline) -> Contents {
        func checked(_ pipeline: Pipeline, _ path: String) throws(InvalidPipeline)
            -> CheckedPipeline
        {
            try CheckedPipeline(
                pipeline, file: path, catalogue: catalogue, plugins: plugins,
                sampleRate: sampleRate)
        }
        switch try PipelineFile(contentsOf: file, catalogue: catalogue, sampleRate: sampleRate) {
        case .pipeline(let pipeline): return .pipeline(try checked(pipeline, file))
        case .setlist(let setlist):
            var songs: [CheckedPipeline] = []
            for song in setlist.songs { songs.append(try checked(song.pipeline, song.path)) }
            return .setlist(setlist, songs)
        }
    }

    /// What the program ends with for this file; nil where it is valid.
    var exitStatus: ExitStatus? {
        if case .failure(let invalid) = result { invalid.exitStatus } else { nil }
    }

    /// Whether the first status is to be fixed before the second.
    static func isGraver(_ first: ExitStatus, _ second: ExitStatus) -> Bool {
        let order: [ExitStatus] = [.unreadableFile, .invalidPipeline, .unavailable]
        return (order.firstIndex(of: first) ?? 0) < (order.firstIndex(of: second) ?? 0)
    }

    private var warnings: [Diagnostic] {
        switch result {
        case .failure: []
        case .success(.pipeline(let one)): one.warnings
        case .success(.setlist(_, let songs)): songs.flatMap(\.warnings)
        }
    }

    /// Shows faults and warnings on standard error, or a line about a valid file on standard output.
    func show() throws {
        Console.show(warnings)
        switch result {
        case .failure(let invalid): Console.show(invalid.diagnostics)
        case .success(.pipeline(let one)):
            CrashWarning.show(for: one.pipeline)
            let late = latency(one.plan.latencyFrames)
            try Console.put("\(file): valid: \(one.signals); latency \(late)\(one.plugins)")
        case .success(.setlist(let setlist, let songs)):
            for song in songs { CrashWarning.show(for: song.pipeline) }
            let names = setlist.songs.map(\.name).joined(separator: ", ")
            let late = latency(Self.latestFrames(of: songs))
            try Console.put("\(file): valid: setlist of \(names); latency at most \(late)")
        }
    }

    private func latency(_ frames: Int) -> String {
        let milliseconds = 1000 * Double(frames) / sampleRate
        return "\(frames) frames, \(milliseconds.fixed(1)) ms at \(Int(sampleRate)) Hz"
    }

    private static func latestFrames(of songs: [CheckedPipeline]) -> Int {
        songs.map(\.plan.latencyFrames).max() ?? 0
    }

    /// `{"file", "valid", "diagnostics", "warnings", "latency_frames", "nodes": [{"id", "latency_frames"}]}`.
    ///
    /// Of a file that is not valid the latency is null; of a setlist it is that of the latest song, without nodes.
    var json: JSONValue {
        switch result {
        case .failure(let invalid):
            members(invalid.diagnostics, latencyFrames: nil, nodes: [])
        case .success(.pipeline(let one)):
            members([], latencyFrames: .integer(one.plan.latencyFrames), nodes: one.nodes)
        case .success(.setlist(_, let songs)):
            members([], latencyFrames: .integer(Self.latestFrames(of: songs)), nodes: [])
        }
    }

    private func members(
        _ diagnostics: [Diagnostic], latencyFrames: JSONValue, nodes: JSONValue
    ) -> JSONValue {
        [
            "file": .string(file), "valid": .bool(diagnostics.isEmpty),
            "diagnostics": .array(diagnostics.map(\.json)),
            "warnings": .array(warnings.map(\.json)), "latency_frames": latencyFrames,
            "nodes": nodes,
        ]
    }
}
