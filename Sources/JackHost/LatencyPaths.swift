package import Engine
package import Pipelines

/// The least and the most latency of a port, in frames.
package struct LatencyRange: Sendable, Equatable {
    package var least: Int
    package var most: Int

    package init(least: Int, most: Int) {
        self.least = least
        self.most = most
    }

    /// The range that holds all of these; nil where there is none.
    static func around(_ ranges: some Collection<LatencyRange>) -> LatencyRange? {
        guard let least = ranges.lazy.map(\.least).min(), let most = ranges.lazy.map(\.most).max()
        else { return nil }
        return LatencyRange(least: least, most: most)
    }

    func later(byFrames frames: Int) -> LatencyRange {
        LatencyRange(least: least + frames, most: most + frames)
    }
}

/// Which inputs of a pipeline reach which outputs, and how late.
package struct LatencyPaths: Sendable, Equatable {
    /// For each output, the inputs that sound in it, by their places in the pipeline.
    private let inputsOfOutput: [Set<Int>]
    /// The same with the MIDI inputs that play nodes.
    private let playersOfOutput: [Set<Int>]
    /// For each output; all paths to one are aligned, so that one number says it.
    private let frames: [Int]

    package init(_ pipeline: Pipeline, _ plan: Plan) {
        inputsOfOutput = inputsReachingOutputs(
            pipeline, inputsReachingNodes(pipeline, withEvents: false))
        playersOfOutput = inputsReachingOutputs(
            pipeline, inputsReachingNodes(pipeline, withEvents: true))
        frames = plan.outputs.map(\.latencyFrames)
    }

    /// How long ago what leaves an output came in from outside.
    ///
    /// - Parameters:
    ///   - output: Its place in the pipeline.
    ///   - inputs: The latency of each input; nil where nothing is connected.
    /// - Returns: The latency to tell JACK of.
    package func capture(ofOutput output: Int, inputs: [LatencyRange?]) -> LatencyRange {
        let connected = inputsOfOutput[output].compactMap { inputs[$0] }
        let before = LatencyRange.around(connected) ?? LatencyRange(least: 0, most: 0)
        return before.later(byFrames: frames[output])
    }

    /// How long it takes until what comes into an input is heard outside.
    ///
    /// - Parameters:
    ///   - input: Its place in the pipeline.
    ///   - outputs: The latency of each output; nil where nothing is connected.
    /// - Returns: The latency to tell JACK of.
    package func playback(ofInput input: Int, outputs: [LatencyRange?]) -> LatencyRange {
        let reached = outputs.indices.filter { playersOfOutput[$0].contains(input) }
        let connected = reached.compactMap { outputs[$0]?.later(byFrames: frames[$0]) }
        if let range = LatencyRange.around(connected) { return range }
        let most = reached.map { frames[$0] }.max() ?? 0
        return LatencyRange(least: most, most: most)
    }
}

/// For each node, the inputs that sound in it, and with events those that play it.
///
/// The graph has no loops, so as many rounds as there are nodes suffice.
private func inputsReachingNodes(_ pipeline: Pipeline, withEvents: Bool) -> [Set<Int>] {
    var reach = pipeline.nodes.map { node -> Set<Int> in
        withEvents ? Set([node.events].compactMap { $0 }) : []
    }
    var hasChanged = true
    while hasChanged {
        hasChanged = false
        for (place, node) in pipeline.nodes.enumerated() {
            let found = node.instances.joined().compactMap { $0 }.reduce(into: reach[place]) {
                $0.formUnion(inputs(of: $1.source, reach))
            }
            hasChanged = hasChanged || found != reach[place]
            reach[place] = found
        }
    }
    return reach
}

/// For each output, the inputs that sound in it or play what gives its MIDI.
private func inputsReachingOutputs(_ pipeline: Pipeline, _ reach: [Set<Int>]) -> [Set<Int>] {
    pipeline.outputs.map { output in
        output.taps.reduce(into: output.events.map { reach[$0] } ?? []) {
            $0.formUnion(inputs(of: $1.source, reach))
        }
    }
}

private func inputs(of source: Pipeline.Source, _ reach: [Set<Int>]) -> Set<Int> {
    switch source {
    case .input(let place): [place]
    case .node(let place): reach[place]
    }
}
