import CRealtime
import Processing

/// An effect that passes its input on and says that it is as late as its parameter.
enum RestlessEffect {
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
            run: { _, block in
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
            latencyFrames: Int(request.parameters[0]), tailFrames: 0, isSplittable: true,
            news: UnsafePointer(news))
    }
}
