internal import Engine
internal import Pipelines
internal import Platform
internal import Processing

/// The latencies of a pipeline's outputs and their reasons, as text and as JSON.
struct LatencyLines {
    private let report: LatencyReport
    private let pipeline: Pipeline
    private let sampleRate: Double

    init(_ pipeline: Pipeline, _ plan: Plan) {
        report = LatencyReport(pipeline, plan)
        self.pipeline = pipeline
        sampleRate = plan.format.sampleRate
    }

    // MARK: Text

    /// One line for each late output, and one for each path that is not aligned.
    var lines: [String] {
        report.outputs.filter { !$0.path.isEmpty || $0.input != nil }.map(line)
            + report.exceptions.map(line)
    }

    private func line(for output: LatencyReport.Output) -> String {
        let source = output.input.map {
            "the input \(pipeline.inputs[$0].name) (\(time(output.inputFrames)))"
        }
        let causes = output.path.map { "\(id($0.node)) (\(time($0.latencyFrames)))" }
        let rests = output.path.map(remainder)
        return "\(pipeline.outputs[output.output].name): \(time(output.latencyFrames)) late, by "
            + ([source].compactMap { $0 } + causes).joined(separator: ", ")
            + (rests.isEmpty ? "" : "; ") + rests.joined(separator: ", ")
    }

    /// Returns the latency of an output without a node, and the reason if that changes nothing.
    private func remainder(without part: LatencyReport.Part) -> String {
        let remainder = "\(time(part.withoutFrames)) without \(id(part.node))"
        guard !part.alternatives.isEmpty else { return remainder }
        return "still \(remainder), because \(part.alternatives.map(id).joined(separator: " and "))"
            + (part.alternatives.count == 1 ? " is" : " are") + " as late"
    }

    private func line(for exception: LatencyReport.Exception) -> String {
        let difference = time(abs(exception.lateFrames))
        let side = exception.lateFrames < 0 ? "early" : "late"
        let place = name(of: exception.end)
        return switch exception.reason {
        case .unaligned:
            "\(place): \(exception.signal) is not aligned and sounds \(difference) \(side)"
        case .off:
            "\(place): \(exception.signal) is off at load and in every scene and delays nothing; "
                + "if you switch it on, it sounds \(difference) late"
        case .bypassed:
            "\(place): bypassed at load and in every scene, delays nothing; "
                + "if you switch it on, it sounds \(difference) late"
        }
    }

    private func time(_ frames: Int) -> String {
        "\((1000 * Double(frames) / sampleRate).fixed(1)) ms"
    }

    private func id(_ node: Int) -> String { pipeline.nodes[node].id }

    private func name(of end: LatencyReport.End) -> String {
        switch end {
        case .node(let index): id(index)
        case .output(let index): pipeline.outputs[index].name
        }
    }

    // MARK: JSON

    /// `[{"name", "latency_frames", "path": [{"node", "latency_frames", "without_frames"}]}]`, for
    /// the audio outputs.
    var outputs: JSONValue {
        .array(
            report.outputs.map { output in
                [
                    "name": .string(pipeline.outputs[output.output].name),
                    "latency_frames": .integer(output.latencyFrames),
                    "path": .array(
                        output.path.map { part in
                            [
                                "node": .string(id(part.node)),
                                "latency_frames": .integer(part.latencyFrames),
                                "without_frames": .integer(part.withoutFrames),
                            ]
                        }),
                ]
            })
    }

    /// `[{"at", "signal", "reason", "late_frames"}]`, for the paths that are not aligned; the reason
    /// is `unaligned`, `off` or `bypassed`.
    var unaligned: JSONValue {
        .array(
            report.exceptions.map { exception in
                [
                    "at": .string(name(of: exception.end)), "signal": .string(exception.signal),
                    "reason": .string(exception.reason.rawValue),
                    "late_frames": .integer(exception.lateFrames),
                ]
            })
    }
}
