internal import Engine
internal import LV2
internal import Pipelines
internal import Processing

/// A valid pipeline that was prepared once, since a plugin may refuse only then, and tells its latency only then.
struct CheckedPipeline {
    let pipeline: Pipeline
    let plan: Plan
    /// What will not keep it from playing.
    let warnings: [Diagnostic]

    /// Prepares a pipeline that was read from a file.
    ///
    /// - Throws: `InvalidPipeline` where a plugin does not load.
    init(
        _ pipeline: Pipeline, file: String, catalogue: Catalogue, plugins: PluginList,
        sampleRate: Double
    ) throws(InvalidPipeline) {
        self.pipeline = pipeline
        let trial = PluginTrial(of: pipeline, file: file, plugins)
        try trial.refuse()
        warnings = trial.warnings
        do throws(PreparationFault) {
            let format = AudioFormat(sampleRate: sampleRate, maximumBlockFrames: 1024)
            plan = try Schedule(preparing: pipeline, catalogue: catalogue, format: format).plan
        } catch {
            throw InvalidPipeline(
                pluginOf: error.node, in: pipeline, file: file, refuses: error.fault.message)
        }
    }

    /// Inputs and outputs with their channels, and whether a limiter watches: "mic (1) to main (2, limiter on)".
    var signals: String {
        let inputs = pipeline.inputs.map { input in
            "\(input.name) (\(input.kind == .midi ? "MIDI" : "\(input.channels)"))"
        }
        let outputs = pipeline.outputs.map { output in
            let limiter = output.hasLimiter ? "limiter on" : "limiter off"
            return
                "\(output.name) (\(output.kind == .midi ? "MIDI" : "\(output.channels), \(limiter)"))"
        }
        return [inputs, outputs].map { $0.isEmpty ? "nothing" : $0.joined(separator: ", ") }
            .joined(separator: " to ")
    }

    /// The plugins that it uses: "; plugins URI, URI", or nothing.
    var plugins: String {
        let uris = pipeline.nodes.compactMap { node in
            if case .plugin(let uri) = node.type { uri } else { nil }
        }
        return uris.isEmpty ? "" : "; plugins " + Set(uris).sorted().joined(separator: ", ")
    }

    /// Each node's own latency: `[{"id", "latency_frames"}]`.
    var nodes: JSONValue {
        .array(
            zip(pipeline.nodes, plan.nodes).map { node, latency in
                ["id": .string(node.id), "latency_frames": .integer(latency.latencyFrames)]
            })
    }
}
