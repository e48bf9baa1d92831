import CRealtime
import Pipelines
import Processing

/// An effect that passes its input on and says that it is as late as its parameter, or once it was told of freewheeling
/// by another number.
enum RestlessEffect {
    static let freewheelFrames = 999

    static let catalogue = Catalogue(
        effects: [Effect(description: description, makeProcessor: makeProcessor)],
        plugins: NoPlugins())

    static let description = NodeDescription(
        name: "restless", label: "Restless", summary: "",
        parameters: [ParameterDescription("frames", range: 0...1000, default: 0)])

    private static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        let news = UnsafeMutablePointer<RTNews>.allocate(capacity: 1)
        news.initialize(
            to: RTNews(latencyFrames: Int32(request.parameters[0]), droppedMessages: 0))
        return Processor(
            state: news,
            run: { state, block in
                if block.pointee.surroundings?.pointee.transport.pointee.isFreewheeling == true {
                    state.assumingMemoryBound(to: RTNews.self).pointee.latencyFrames =
                        Int32(RestlessEffect.freewheelFrames)
                }
                for channel in 0..<Int(block.pointee.outputCount) {
                    rt_copy(
                        block.pointee.outputs[channel], block.pointee.inputs[channel],
                        Int64(block.pointee.frameCount))
                }
            },
            set: { state, _, value in
                state.assumingMemoryBound(to: RTNews.self).pointee.latencyFrames = Int32(value)
            }, reset: { _ in }, free: { $0.deallocate() },
            inputCount: request.inputChannels, outputCount: request.outputChannels,
            latencyFrames: Int(request.parameters[0]), tailFrames: 0, isSplittable: false,
            playsInTime: true, news: UnsafePointer(news))
    }
}

extension Pipeline {
    /// The effect between a mono input and a mono output.
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
