internal import Pipelines
internal import Processing

/// The span in which recorders record during a render: their files match the frames of the inputs,
/// as the outputs do.
struct RecordingSpan {
    /// The pipeline at load, with its recorders off until the first input frame reaches them.
    private(set) var pipeline: Pipeline
    /// The frames of the input at which recorders are switched on and off.
    private(set) var edges: [(frame: Int, change: Pipeline.Change)] = []

    /// Calculates the span for a render.
    ///
    /// - Parameters:
    ///   - loaded: The pipeline at load.
    ///   - lengthFrames: The length of the render.
    init(of loaded: Pipeline, lengthFrames: Int) {
        pipeline = loaded
        for (index, node) in loaded.nodes.enumerated() where node.type == .effect("recorder") {
            guard let parameter = node.parameters.firstIndex(where: { $0.name == "recording" })
            else { continue }
            let address = Pipeline.Address(node: index, target: .parameter(parameter))
            if node.values[parameter] > 0.5 {
                pipeline.nodes[index].values[parameter] = 0
                edges.append((0, Pipeline.Change(address: address, value: 1)))
            }
            edges.append((lengthFrames, Pipeline.Change(address: address, value: 0)))
        }
    }
}

extension Pipeline.Node {
    /// The duration of a source that plays from load on, in seconds; `nil` if it has no end, does
    /// not start, or if the node is not a source.
    var playedSeconds: Double? {
        guard let durationSeconds, value("playing") ?? 1 > 0.5, value("loop") ?? 0 < 0.5 else {
            return nil
        }
        return durationSeconds / Double(value("rate") ?? 1)
    }

    private func value(_ parameter: String) -> Float? {
        parameters.firstIndex { $0.name == parameter }.map { values[$0] }
    }
}
