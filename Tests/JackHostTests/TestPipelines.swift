import Pipelines
import Processing
import TestSignals

extension Pipeline {
    /// One input, a chain of late effects, one output, all of the same width.
    static func chain(
        _ name: String = "Lead voice", channels: Int = 1, lateFrames: [Int] = [],
        factor: Float = 1, hasLimiter: Bool = false, connectInput: [ConnectionRule] = [],
        connectOutput: [ConnectionRule] = []
    ) -> Pipeline {
        var last = Source.input(0)
        let nodes = lateFrames.enumerated().map { place, frames in
            defer { last = .node(place) }
            return Node.late(
                "late\(place)", frames: frames, factor: factor,
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
            id: id, type: .effect("late"), description: LateEffect.description, instances: [taps],
            outputChannels: taps.count, strips: [], parameters: LateEffect.description.parameters,
            values: [factor], settings: ["frames": .number(Double(frames))], isBypassed: false,
            mix: 1, isolation: .none, events: nil)
    }
}
