import CRealtime
import Processing

/// An effect that produces infinity only while it plays live.
enum LiveFaultEffect {
    static let effect = Effect(
        description: NodeDescription(name: "live-fault", label: "Live fault", summary: ""),
        makeProcessor: { request in
            Processor(
                LiveFaultKernel(isLive: request.format.isLive), inputCount: request.inputChannels,
                outputCount: request.outputChannels)
        })
}

private struct LiveFaultKernel: Kernel, ~Copyable {
    let isLive: Bool

    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }

    mutating func set(_ parameter: Int32, to value: Float) {}
    mutating func reset() {}

    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        for channel in 0..<Int(block.outputCount) {
            for frame in 0..<Int(block.frameCount) {
                block.outputs[channel][frame] =
                    isLive ? .infinity : block.inputs[channel][frame]
            }
        }
    }
}
