import Pipelines
import Processing
import TestSignals

extension Pipeline {
    /// Returns a chain of effects with latency between an input and an output, each with the same
    /// number of channels.
    static func chain(
        _ name: String = "Lead voice", channels: Int = 1, lateFrames: [Int] = [],
        factor: Float = 1, hasLimiter: Bool = false, connectInput: [ConnectionRule] = [],
        connectOutput: [ConnectionRule] = []
    ) -> Pipeline {
        var last = Source.input(0)
        let nodes = lateFrames.enumerated().map { index, frames in
            defer { last = .node(index) }
            return Node.late(
                "late\(index)", frames: frames, factor: factor,
                taps: (0..<channels).map { Tap(last, channel: $0) })
        }
        return Pipeline(
            name: name, summary: "",
            inputs: [Input(name: "mic", channels: channels, kind: .audio, connect: connectInput)],
            outputs: [
                Output(
                    name: "main", channels: channels, kind: .audio,
                    taps: (0..<channels).map { Tap(last, channel: $0) }, hasLimiter: hasLimiter,
                    connect: connectOutput)
            ], nodes: nodes, scenes: [], initialScene: nil, bindings: [], tempo: 120, tailSeconds: 4
        )
    }
}

extension Pipeline.Node {
    static func late(
        _ id: String, frames: Int, factor: Float = 1, taps: [Pipeline.Tap]
    ) -> Self {
        Self(
            id: id, type: .effect("late"), description: LatencyEffect.description,
            instances: [taps],
            outputChannels: taps.count, strips: [],
            parameters: LatencyEffect.description.parameters,
            values: [factor], settings: ["frames": .number(Double(frames))], isBypassed: false,
            mix: 1, isolation: .none, events: nil)
    }
}

extension Pipeline {
    /// Returns a pipeline with the effect between a mono input and a mono output.
    static func restless() -> Pipeline {
        let parameters = RestlessEffect.description.parameters
        var pipeline = Pipeline.chain("Restless")
        pipeline.nodes = [
            Pipeline.Node(
                id: "node", type: .effect("restless"), description: RestlessEffect.description,
                instances: [[.init(.input(0), channel: 0)]], outputChannels: 1, strips: [],
                parameters: parameters, values: [0], settings: [:], isBypassed: false, mix: 1,
                isolation: .none, events: nil)
        ]
        pipeline.outputs[0].taps = [.init(.node(0), channel: 0)]
        return pipeline
    }
}
