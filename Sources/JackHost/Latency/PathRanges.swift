internal import Engine
internal import Pipelines

/// The latencies of all audible paths from inputs to outputs.
///
/// Aligned paths from an input to an output have the same latency; the others extend the range.
struct PathRanges {
    private let pipeline: Pipeline
    private let plan: Plan

    init(_ pipeline: Pipeline, _ plan: Plan) {
        self.pipeline = pipeline
        self.plan = plan
    }

    /// For each output, the latencies of the paths from each input, by the index of the input.
    var ofOutputs: [[Int: LatencyRange]] {
        let nodes = ofNodes
        return pipeline.outputs.enumerated().map { index, output in
            output.taps.indices.reduce(into: [:]) { ranges, channel in
                add(.output(index, channel: channel), nodes, to: &ranges)
            }
        }
    }

    /// For each node, the latencies of the paths from each input to the node's outputs.
    ///
    /// The graph has no loops, so the search needs at most one round per node.
    private var ofNodes: [[Int: LatencyRange]] {
        var ranges = pipeline.nodes.map { _ in [Int: LatencyRange]() }
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            for (index, node) in pipeline.nodes.enumerated() {
                let found = self.ranges(ofNode: index, node, ranges)
                hasChanged = hasChanged || found != ranges[index]
                ranges[index] = found
            }
        }
        return ranges
    }

    private func ranges(
        ofNode index: Int, _ node: Pipeline.Node, _ nodes: [[Int: LatencyRange]]
    ) -> [Int: LatencyRange] {
        var ranges: [Int: LatencyRange] = [:]
        for input in 0..<node.instances.joined().count where !node.offInputs.contains(input) {
            add(.node(index, input: input), nodes, to: &ranges)
        }
        let latency = plan.nodes[index]
        let ownFrames = latency.outputLatencyFrames - latency.inputLatencyFrames
        return ranges.mapValues { $0.delayed(byFrames: ownFrames) }
    }

    /// Extends ranges by the ranges of the wires of an end; wires of removed nodes do not count.
    private func add(
        _ end: WireEnd, _ nodes: [[Int: LatencyRange]], to ranges: inout [Int: LatencyRange]
    ) {
        for wire in plan.wires[end] ?? [] {
            for (input, range) in sources(of: wire.tap.source, nodes) {
                let delayed = range.delayed(byFrames: wire.delayFrames)
                ranges[input] = LatencyRange.enclosing([ranges[input] ?? delayed, delayed])
            }
        }
    }

    private func sources(
        of source: Pipeline.Source, _ nodes: [[Int: LatencyRange]]
    ) -> [Int: LatencyRange] {
        switch source {
        case .input(let index): [index: LatencyRange(minimum: 0, maximum: 0)]
        case .node(let index): nodes.indices.contains(index) ? nodes[index] : [:]
        }
    }
}
