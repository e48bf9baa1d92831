internal import Engine
internal import LV2
internal import Pipelines
internal import Processing

/// A valid pipeline that was prepared once, because some plugin errors and all plugin latencies are
/// known only then.
struct CheckedPipeline {
    let pipeline: Pipeline
    let plan: Plan
    /// The memory that the pipeline needs while it plays live.
    let memory: MemoryNeed
    /// The memory of the nodes that are prepared for scenes, in addition.
    let variants: MemoryNeed
    /// The problems that do not prevent the pipeline from playing.
    let warnings: [Diagnostic]

    /// Prepares a pipeline that was read from a file.
    ///
    /// - Throws: `InvalidPipeline` if a plugin cannot be loaded, or there is too little memory.
    init(
        _ pipeline: Pipeline, file: String, catalogue: Catalogue, plugins: PluginList,
        ports: RunningPorts, sampleRate: Double
    ) throws(InvalidPipeline) {
        self.pipeline = pipeline
        let trial = PluginTrial(of: pipeline, file: file, plugins)
        try trial.refuse()
        warnings = trial.warnings + ports.warnings(for: pipeline, file: file)
        var format = AudioFormat(sampleRate: sampleRate, maximumBlockFrames: 1024, isLive: true)
        memory = MemoryNeed(pipeline, catalogue: catalogue, format: format)
        variants = MemoryNeed(
            variantsOf: pipeline.atLoad, catalogue: catalogue, format: format)
        do throws(PreparationError) {
            try memory.adding(variants).check(against: catalogue.memory)
            format.isLive = false
            let schedule = try Schedule(
                preparing: pipeline, catalogue: catalogue, format: format)
            plan = schedule.plan
            try schedule.variants.prepare(
                for: schedule.pipeline, catalogue: catalogue, format: format)
            if let failure = schedule.variants.failures.first { throw failure.error }
        } catch {
            guard !error.lacksMemory else {
                throw InvalidPipeline(
                    memoryOf: error.node, in: pipeline, file: file, message: error.message)
            }
            throw InvalidPipeline(
                pluginOf: error.node, in: pipeline, file: file, refuses: error.cause.message)
        }
    }

    /// The memory of the pipeline and its variants, in bytes.
    var totalBytes: Int { memory.totalBytes.addingClamped(variants.totalBytes) }

    /// The memory of the setlist's nodes, which is part of it, in bytes.
    var outerBytes: Int {
        memory.nodes.dropFirst(pipeline.songNodeCount).map(\.bytes)
            .reduce(0, { $0.addingClamped($1) })
    }

    /// The nodes that are prepared for scenes or as variants, with their memory; empty without them.
    var preparedNodes: String {
        let count = variants.nodes.count
        guard count > 0 else { return "" }
        let nodes = count == 1 ? "1 node" : "\(count) nodes"
        let types = variants.nodes.map(\.type)
        let isEstimate = pipeline.nodes.contains { node in
            if case .plugin(let uri) = node.type { types.contains(uri) } else { false }
        }
        let bytes = ByteCount(variants.totalBytes)
        return "; \(nodes) prepared for scenes or \"when-late\", "
            + "\(isEstimate ? "about " : "")\(bytes) of it"
    }

    /// The inputs and outputs with their channels and limiters: "mic (1) to main (2, limiter on)".
    var signals: String {
        let inputs = pipeline.inputs.map { input in
            "\(input.name) (\(input.kind == .midi ? "MIDI" : "\(input.channels)"))"
        }
        let outputs = pipeline.outputs.map { output in
            let limiter = output.hasLimiter ? "limiter on" : "limiter off"
            return
                "\(output.name) (\(output.kind == .midi ? "MIDI" : "\(output.channels), \(limiter)"))"
        }
        return [(inputs, "no inputs"), (outputs, "no outputs")]
            .map { $0.isEmpty ? $1 : $0.joined(separator: ", ") }
            .joined(separator: " to ")
    }

    /// The plugins of the pipeline: "; plugins URI, URI"; empty without plugins.
    var plugins: String {
        let uris = pipeline.nodes.compactMap { node in
            if case .plugin(let uri) = node.type { uri } else { nil }
        }
        return uris.isEmpty ? "" : "; plugins " + Set(uris).sorted().joined(separator: ", ")
    }

    /// The latencies of the outputs and their reasons.
    var latencies: LatencyLines { LatencyLines(pipeline, plan) }

    /// Each node's own latency and memory: `[{"id", "latency_frames", "memory_bytes"}]`.
    var nodes: JSONValue {
        .array(
            zip(zip(pipeline.nodes, plan.nodes), memory.nodes).map { node, need in
                [
                    "id": .string(node.0.id), "latency_frames": .integer(node.1.latencyFrames),
                    "memory_bytes": .integer(need.bytes),
                ]
            })
    }
}
