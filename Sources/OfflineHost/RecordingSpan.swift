internal import Pipelines
internal import Processing

/// From when to when recorders record in a render: what they write belongs to the inputs' frames, as the outputs do.
struct RecordingSpan {
    /// The pipeline at load, with its recorders off until their sound comes.
    private(set) var pipeline: Pipeline
    /// When recorders go on and off, in frames of the input.
    private(set) var edges: [(frame: Int, change: Pipeline.Change)] = []

    /// - Parameters:
    ///   - loaded: As it is at load.
    ///   - lengthFrames: How long the render is.
    init(of loaded: Pipeline, lengthFrames: Int) {
        pipeline = loaded
        for (place, node) in loaded.nodes.enumerated() where node.type == .effect("recorder") {
            guard let parameter = node.parameters.firstIndex(where: { $0.name == "recording" })
            else { continue }
            let address = Pipeline.Address(node: place, target: .parameter(parameter))
            if node.values[parameter] > 0.5 {
                pipeline.nodes[place].values[parameter] = 0
                edges.append((0, Pipeline.Change(address: address, value: 1)))
            }
            edges.append((lengthFrames, Pipeline.Change(address: address, value: 0)))
        }
    }
}

extension Pipeline.Node {
    /// How long a source plays from load on, in seconds; nil where it has no end, does not begin, or is no source.
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
