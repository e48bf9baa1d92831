internal import CRealtime
public import Processing

/// An effect that passes its input on and says that it is as late as its parameter, or once it was told of freewheeling
/// by another number.
public enum RestlessEffect {
    /// As late as it is from the first cycle off the clock on, in frames.
    public static let freewheelFrames = 999

    /// What a catalogue takes it in by.
    public static let effect = Effect(description: description, makeProcessor: makeProcessor)

    /// One parameter: `frames`, 0 to 1000.
    public static let description = NodeDescription(
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
