import CRealtime
import Pipelines
import Processing
import Synchronization

/// An effect that counts the frames it was run for, and passes its input on.
enum CountingEffect {
    /// Of all nodes of this type.
    static let frames = Atomic<Int>(0)

    static let catalogue = Catalogue(
        effects: [Effect(description: description, makeProcessor: makeProcessor)],
        plugins: NoPlugins())

    static let description = NodeDescription(
        name: "counting", label: "Counting", summary: "", parameters: [])

    private static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        Processor(
            state: .allocate(byteCount: 1, alignment: 1),
            run: { _, block in
                CountingEffect.frames.add(Int(block.pointee.frameCount), ordering: .relaxed)
                for channel in 0..<Int(block.pointee.outputCount) {
                    rt_copy(
                        block.pointee.outputs[channel], block.pointee.inputs[channel],
                        Int64(block.pointee.frameCount))
                }
            },
            set: { _, _, _ in }, reset: { _ in }, free: { $0.deallocate() },
            inputCount: request.inputChannels, outputCount: request.outputChannels,
            latencyFrames: 0, tailFrames: 0, isSplittable: true)
    }
}

extension Pipeline {
    /// The effect between a mono input and a mono output.
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
