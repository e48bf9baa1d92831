internal import Engine
internal import Pipelines
internal import Processing

/// What checking one file came to.
struct CheckReport {
    private let file: String
    private let sampleRate: Double
    private let result: Result<(pipeline: Pipeline, plan: Plan), InvalidPipeline>

    /// Checks a file, and prepares what it describes once.
    init(_ file: String, catalogue: Catalogue, sampleRate: Double) {
        self.file = file
        self.sampleRate = sampleRate
        do throws(InvalidPipeline) {
            let pipeline = try Pipeline(
                contentsOf: file, catalogue: catalogue, sampleRate: sampleRate)
            let plan = try Self.prepare(pipeline, file, catalogue, sampleRate)
            result = .success((pipeline, plan))
        } catch {
            result = .failure(error)
        }
    }

    /// Prepares a pipeline, since a plugin may refuse only then, and tells its latency only then.
    private static func prepare(
        _ pipeline: Pipeline, _ file: String, _ catalogue: Catalogue, _ sampleRate: Double
    ) throws(InvalidPipeline) -> Plan {
        do throws(PreparationFault) {
            let format = AudioFormat(sampleRate: sampleRate, maximumBlockFrames: 1024)
            return try Schedule(preparing: pipeline, catalogue: catalogue, format: format).plan
        } catch {
            throw InvalidPipeline(
                pluginOf: error.node, in: pipeline, file: file, refuses: error.fault.message)
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

    /// Shows the faults on standard error, or a line about a valid file on standard output.
    func show() throws {
        switch result {
        case .failure(let invalid): Console.show(invalid.diagnostics)
        case .success(let valid): try Console.put(line(valid.pipeline, valid.plan))
        }
    }

    private func line(_ pipeline: Pipeline, _ plan: Plan) -> String {
        let inputs = pipeline.inputs.map {
            "\($0.name) (\($0.kind == .midi ? "MIDI" : "\($0.channels)"))"
        }
        let outputs = pipeline.outputs.map { output in
            let limiter = output.hasLimiter ? "limiter on" : "limiter off"
            return "\(output.name) ("
                + (output.kind == .midi ? "MIDI)" : "\(output.channels), \(limiter))")
        }
        let ms = (1000 * Double(plan.latencyFrames) / sampleRate).fixed(1)
        let plugins = Set(pipeline.nodes.compactMap(\.pluginURI)).sorted()
        let signals = [inputs, outputs].map { $0.isEmpty ? "nothing" : $0.joined(separator: ", ") }
        return "\(file): valid: \(signals[0]) to \(signals[1]); "
            + "latency \(plan.latencyFrames) frames, \(ms) ms at \(Int(sampleRate)) Hz"
            + (plugins.isEmpty ? "" : "; plugins " + plugins.joined(separator: ", "))
    }

    /// `{"file", "valid", "diagnostics", "latency_frames", "nodes": [{"id", "latency_frames"}]}`.
    var json: JSONValue {
        switch result {
        case .failure(let invalid):
            [
                "file": .string(file), "valid": false,
                "diagnostics": .array(invalid.diagnostics.map(\.json)),
                "latency_frames": nil, "nodes": [],
            ]
        case .success(let (pipeline, plan)):
            [
                "file": .string(file), "valid": true, "diagnostics": [],
                "latency_frames": .integer(plan.latencyFrames),
                "nodes": .array(
                    zip(pipeline.nodes, plan.nodes).map { node, latency in
                        [
                            "id": .string(node.id),
                            "latency_frames": .integer(latency.latencyFrames),
                        ]
                    }),
            ]
        }
    }
}

extension Pipeline.Node {
    /// The plugin's URI, where the node is one.
    var pluginURI: String? { if case .plugin(let uri) = type { uri } else { nil } }
}
