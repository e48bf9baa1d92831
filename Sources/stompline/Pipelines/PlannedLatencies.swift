internal import Drawing
internal import Engine
internal import Pipelines
internal import Processing

extension GraphLatencies {
    /// Creates the latencies of a pipeline's plan.
    init(_ pipeline: Pipeline, _ plan: Plan) {
        self.init(
            sampleRate: plan.format.sampleRate,
            nodes: plan.nodes.map {
                Node(
                    ownFrames: $0.latencyFrames, inputFrames: $0.inputLatencyFrames,
                    isSkipped: $0.isSkipped)
            }, outputFrames: plan.outputs.map(\.latencyFrames))
        causes = pipeline.outputs.map { _ in [] }
        for output in LatencyReport(pipeline, plan).outputs {
            causes[output.output] = output.path.map {
                Cause(
                    node: $0.node, ownFrames: $0.latencyFrames, withoutFrames: $0.withoutFrames)
            }
        }
    }
}
