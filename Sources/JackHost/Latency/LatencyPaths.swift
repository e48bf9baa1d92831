package import Engine
package import Pipelines
internal import Processing

/// The range of a port's latency, in frames.
package struct LatencyRange: Sendable, Equatable {
    package var minimum: Int
    package var maximum: Int

    package init(minimum: Int, maximum: Int) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Returns the smallest range that includes all given ranges; `nil` for an empty collection.
    static func enclosing(_ ranges: some Collection<LatencyRange>) -> LatencyRange? {
        guard let minimum = ranges.lazy.map(\.minimum).min(),
            let maximum = ranges.lazy.map(\.maximum).max()
        else { return nil }
        return LatencyRange(minimum: minimum, maximum: maximum)
    }

    /// Creates the range of a latency that a file states; `nil` if it states none.
    init?(stated frames: Int?) {
        guard let frames else { return nil }
        self.init(minimum: frames, maximum: frames)
    }

    func delayed(byFrames frames: Int) -> LatencyRange {
        LatencyRange(minimum: minimum + frames, maximum: maximum + frames)
    }

    func delayed(by other: LatencyRange) -> LatencyRange {
        LatencyRange(minimum: minimum + other.minimum, maximum: maximum + other.maximum)
    }
}

/// The latencies of the paths from a pipeline's inputs to its outputs.
///
/// JACK must calculate its latencies again only after a change to paths that are not equal.
package struct LatencyPaths: Sendable, Equatable {
    /// The names of the pipeline's inputs and outputs, whose indices are used below.
    let inputNames: [String]
    let outputNames: [String]
    /// For each output, the indices of the inputs whose signal reaches it.
    private let inputsOfOutput: [Set<Int>]
    /// For each output, the same inputs and the MIDI inputs that play its nodes.
    private let inputsAndMIDIOfOutput: [Set<Int>]
    /// The latency of each output, in frames; all aligned paths to one output have this latency.
    private let frames: [Int]
    /// For each output, the latencies of the paths from each input that reaches it.
    private let ranges: [[Int: LatencyRange]]
    /// The latencies that the file states for inputs and outputs instead of those of their
    /// connections, in frames.
    private let inputFrames: [Int?]
    private let outputFrames: [Int?]
    /// The format of the cycles: in another one, the server's own ports have other latencies.
    private let format: AudioFormat

    package init(_ pipeline: Pipeline, _ plan: Plan) {
        inputNames = pipeline.inputs.map(\.name)
        outputNames = pipeline.outputs.map(\.name)
        inputsOfOutput = inputsReachingOutputs(
            pipeline, inputsReachingNodes(pipeline, withEvents: false))
        inputsAndMIDIOfOutput = inputsReachingOutputs(
            pipeline, inputsReachingNodes(pipeline, withEvents: true))
        frames = plan.outputs.map(\.latencyFrames)
        ranges = PathRanges(pipeline, plan).ofOutputs
        inputFrames = pipeline.statedInputFrames(sampleRate: plan.format.sampleRate)
        outputFrames = pipeline.statedOutputFrames(sampleRate: plan.format.sampleRate)
        format = plan.format
    }

    /// Returns the time until the sound of an output is heard.
    ///
    /// - Parameters:
    ///   - output: The index of the output.
    ///   - reported: The playback latency of its connections.
    /// - Returns: The latency that the file states, or else the reported one.
    func playback(ofOutput output: Int, reported: LatencyRange) -> LatencyRange {
        LatencyRange(stated: outputFrames[output]) ?? reported
    }

    /// Returns the latencies of the paths from an input to an output that it reaches.
    private func range(fromInput input: Int, toOutput output: Int) -> LatencyRange {
        ranges[output][input] ?? LatencyRange(minimum: frames[output], maximum: frames[output])
    }

    /// Returns the capture latency of an output: the time since its signal was captured.
    ///
    /// - Parameters:
    ///   - output: The index of the output.
    ///   - inputs: The capture latency of each input; `nil` if it is not connected.
    /// - Returns: The latency to announce.
    package func capture(ofOutput output: Int, inputs: [LatencyRange?]) -> LatencyRange {
        let connected = inputsOfOutput[output].compactMap { input in
            inputs[input].map {
                (LatencyRange(stated: inputFrames[input]) ?? $0)
                    .delayed(by: range(fromInput: input, toOutput: output))
            }
        }
        return LatencyRange.enclosing(connected)
            ?? LatencyRange(minimum: frames[output], maximum: frames[output])
    }

    /// Returns the playback latency of an input: the time until its signal is played back.
    ///
    /// - Parameters:
    ///   - input: The index of the input.
    ///   - outputs: The playback latency of each output; `nil` if it is not connected.
    /// - Returns: The latency to announce.
    package func playback(ofInput input: Int, outputs: [LatencyRange?]) -> LatencyRange {
        let reached = outputs.indices.filter { inputsAndMIDIOfOutput[$0].contains(input) }
        let connected = reached.compactMap { output in
            outputs[output].map {
                playback(ofOutput: output, reported: $0)
                    .delayed(by: range(fromInput: input, toOutput: output))
            }
        }
        if let range = LatencyRange.enclosing(connected) { return range }
        let maximum = reached.map { range(fromInput: input, toOutput: $0).maximum }.max() ?? 0
        return LatencyRange(minimum: maximum, maximum: maximum)
    }
}

/// Returns, for each node, the inputs whose signal reaches it, and if `withEvents` is true, the
/// MIDI inputs that play it.
///
/// The graph has no loops, so the search needs at most one round per node.
private func inputsReachingNodes(_ pipeline: Pipeline, withEvents: Bool) -> [Set<Int>] {
    var reach = pipeline.nodes.map { node -> Set<Int> in
        withEvents ? Set([node.events].compactMap { $0 }) : []
    }
    var hasChanged = true
    while hasChanged {
        hasChanged = false
        for (index, node) in pipeline.nodes.enumerated() {
            let found = node.instances.joined().compactMap { $0 }.reduce(into: reach[index]) {
                $0.formUnion(inputs(of: $1.source, reach))
            }
            hasChanged = hasChanged || found != reach[index]
            reach[index] = found
        }
    }
    return reach
}

/// Returns, for each output, the inputs whose signal reaches it, or that play the node of its MIDI.
private func inputsReachingOutputs(_ pipeline: Pipeline, _ reach: [Set<Int>]) -> [Set<Int>] {
    pipeline.outputs.map { output in
        output.taps.compactMap(\.self).reduce(into: output.events.map { reach[$0] } ?? []) {
            $0.formUnion(inputs(of: $1.source, reach))
        }
    }
}

private func inputs(of source: Pipeline.Source, _ reach: [Set<Int>]) -> Set<Int> {
    switch source {
    case .input(let index): [index]
    case .node(let index): reach[index]
    }
}
