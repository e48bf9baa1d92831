import CRealtime
import Pipelines
import Processing
import Synchronization

/// An effect that counts the frames it processes and passes its input through.
enum CountingEffect {
    /// The number of frames that all nodes of this type have processed.
    static let frames = Atomic<Int>(0)

    static let catalogue = Catalogue(
        effects: [Effect(description: description, makeProcessor: makeProcessor)],
        plugins: NoPlugins())

    static let description = NodeDescription(
        name: "counting", label: "Counting", summary: "", parameters: [])

    private static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        Processor(
            CountingKernel(), inputCount: request.inputChannels,
            outputCount: request.outputChannels)
    }
}

private struct CountingKernel: Kernel {
    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }

    mutating func run(_ block: UnsafePointer<RTBlock>) {
        CountingEffect.frames.add(Int(block.pointee.frameCount), ordering: .relaxed)
        for channel in 0..<Int(block.pointee.outputCount) {
            rt_copy(
                block.pointee.outputs[channel], block.pointee.inputs[channel],
                Int64(block.pointee.frameCount))
        }
    }

    mutating func set(_ parameter: Int32, to value: Float) {}

    mutating func reset() {}
}

extension Pipeline {
    /// Returns a pipeline with the effect between a mono input and a mono output.
    static func counting() -> Pipeline {
        var pipeline = Pipeline.chain("Counting")
        pipeline.nodes = [
            Pipeline.Node(
                id: "node", type: .effect("counting"), description: CountingEffect.description,
                instances: [[.init(.input(0), channel: 0)]], outputChannels: 1, strips: [],
                parameters: [], values: [], settings: [:], isBypassed: false, mix: 1,
                isolation: .none, events: nil)
        ]
        pipeline.outputs[0].taps = [.init(.node(0), channel: 0)]
        return pipeline
    }
}
