internal import Engine
internal import LV2
internal import Pipelines
internal import Processing
internal import SessionCore
internal import SessionTexts
internal import Platform

/// The result of checking one file.
struct CheckReport {
    private let file: String
    private let sampleRate: Double
    private let result: Result<Contents, InvalidPipeline>

    /// The content of a valid file.
    private enum Contents {
        case pipeline(CheckedPipeline)
        case setlist(Setlist, [CheckedPipeline], IgnoredRules)
    }

    /// Warnings about connection rules that have no effect.
    private typealias IgnoredRules = [Diagnostic]

    /// Checks a pipeline or a setlist, and prepares each of its pipelines once.
    ///
    /// - Parameters:
    ///   - file: The path of the file.
    ///   - catalogue: The effects and plugins.
    ///   - plugins: The results of trying plugins.
    ///   - ports: The ports that the file's connection rules are compared with.
    ///   - sampleRate: The sample rate, in Hz.
    init(
        _ file: String, catalogue: Catalogue, plugins: PluginList, ports: RunningPorts,
        sampleRate: Double
    ) {
        self.file = file
        self.sampleRate = sampleRate
        do throws(InvalidPipeline) {
            result = .success(try Self.contents(of: file, catalogue, plugins, ports, sampleRate))
        } catch {
            result = .failure(error)
        }
    }

    private static func contents(
        of file: String, _ catalogue: Catalogue, _ plugins: PluginList, _ ports: RunningPorts,
        _ sampleRate: Double
    ) throws(InvalidPipeline) -> Contents {
        func checked(_ pipeline: Pipeline, _ path: String) throws(InvalidPipeline)
            -> CheckedPipeline
        {
            try CheckedPipeline(
                pipeline, file: path, catalogue: catalogue, plugins: plugins, ports: ports,
                sampleRate: sampleRate)
        }
        switch try PipelineFile(contentsOf: file, catalogue: catalogue, sampleRate: sampleRate) {
        case .pipeline(let pipeline): return .pipeline(try checked(pipeline, file))
        case .setlist(let setlist):
            var songs: [CheckedPipeline] = []
            // The setlist's bindings and scenes decide which paths can be switched on.
            let collection = SongCollection(.setlist(setlist), path: file)
            for song in collection.songs {
                songs.append(try checked(song.pipeline, song.path))
            }
            return .setlist(
                setlist, songs, collection.ignoredConnections.map(\.diagnostic))
        }
    }

    /// The exit status for this file; `nil` if it is valid.
    var exitStatus: ExitStatus? {
        if case .failure(let invalid) = result { invalid.exitStatus } else { nil }
    }

    /// Returns whether the first status is more severe than the second.
    static func isMoreSevere(_ first: ExitStatus, _ second: ExitStatus) -> Bool {
        let order: [ExitStatus] = [.unreadableFile, .invalidPipeline, .unavailable]
        return (order.firstIndex(of: first) ?? 0) < (order.firstIndex(of: second) ?? 0)
    }

    private var warnings: [Diagnostic] {
        switch result {
        case .failure: []
        case .success(.pipeline(let one)): one.warnings
        case .success(.setlist(_, let songs, let ignored)): songs.flatMap(\.warnings) + ignored
        }
    }

    /// Writes errors and warnings to standard error, and for a valid file a summary to standard
    /// output.
    func show() throws {
        Console.show(warnings)
        switch result {
        case .failure(let invalid): Console.show(invalid.diagnostics)
        case .success(.pipeline(let one)):
            CrashWarning.show(for: one.pipeline)
            let latencyText = latency(one.plan.latencyFrames)
            let memory = ByteCount(one.totalBytes)
            try Console.put(
                line:
                    "\(file): valid: \(one.signals); latency \(latencyText); memory \(memory)\(one.preparedNodes)\(one.plugins)"
            )
            try show(one.latencies, indent: 4)
        case .success(.setlist(let setlist, let songs, _)):
            for song in songs { CrashWarning.show(for: song.pipeline) }
            let names = setlist.songs.map(\.name).joined(separator: ", ")
            let latencyText = latency(Self.longestLatencyFrames(of: songs))
            let memory = ByteCount(Self.neighbourBytes(of: songs))
            try Console.put(
                line:
                    "\(file): valid: setlist of \(names); latency at most \(latencyText); memory at most \(memory) for a song and its neighbours"
            )
            for (song, checked) in zip(setlist.songs, songs) {
                try Console.put(
                    line:
                        "    \(song.name): memory \(ByteCount(checked.totalBytes))\(checked.preparedNodes)"
                )
                try show(checked.latencies, indent: 8)
            }
        }
    }

    private func show(_ latencies: LatencyLines, indent: Int) throws {
        for line in latencies.lines {
            try Console.put(line: String(repeating: " ", count: indent) + line)
        }
    }

    /// Returns the most memory, in bytes, that a song needs together with its neighbours, which are
    /// ready while it plays.
    private static func neighbourBytes(of songs: [CheckedPipeline]) -> Int {
        // All songs share the nodes of the setlist.
        let bytes = songs.map { $0.totalBytes - $0.outerBytes }
        let sums = bytes.indices.map { index in
            bytes[max(0, index - 1)...min(bytes.count - 1, index + 1)]
                .reduce(songs[index].outerBytes, { $0.addingClamped($1) })
        }
        return sums.max() ?? 0
    }

    private func latency(_ frames: Int) -> String {
        let milliseconds = 1000 * Double(frames) / sampleRate
        return "\(frames) frames, \(milliseconds.fixed(1)) ms at \(Int(sampleRate)) Hz"
    }

    private static func longestLatencyFrames(of songs: [CheckedPipeline]) -> Int {
        songs.map(\.plan.latencyFrames).max() ?? 0
    }

    /// `{"file", "valid", "diagnostics", "warnings", "latency_frames", "memory_bytes",
    /// "nodes": [{"id", "latency_frames", "memory_bytes"}], "outputs", "unaligned"}`.
    ///
    /// For an invalid file, latency and memory are null. For a setlist, they are the longest
    /// latency of any song, and the most memory of a song with its neighbours, and the lists are
    /// empty.
    var json: JSONValue {
        switch result {
        case .failure(let invalid):
            members(invalid.diagnostics, latencyFrames: nil, memoryBytes: nil)
        case .success(.pipeline(let one)):
            members(
                [], latencyFrames: .integer(one.plan.latencyFrames),
                memoryBytes: .integer(one.totalBytes), nodes: one.nodes,
                outputs: one.latencies.outputs, unaligned: one.latencies.unaligned)
        case .success(.setlist(_, let songs, _)):
            members(
                [], latencyFrames: .integer(Self.longestLatencyFrames(of: songs)),
                memoryBytes: .integer(Self.neighbourBytes(of: songs)))
        }
    }

    private func members(
        _ diagnostics: [Diagnostic], latencyFrames: JSONValue, memoryBytes: JSONValue,
        nodes: JSONValue = [], outputs: JSONValue = [], unaligned: JSONValue = []
    ) -> JSONValue {
        [
            "file": .string(file), "valid": .bool(diagnostics.isEmpty),
            "diagnostics": .array(diagnostics.map(\.json)),
            "warnings": .array(warnings.map(\.json)), "latency_frames": latencyFrames,
            "memory_bytes": memoryBytes, "nodes": nodes, "outputs": outputs,
            "unaligned": unaligned,
        ]
    }
}
