internal import CRealtime
public import Processing

/// An effect that passes its input and reports its parameter as its latency.
///
/// After it has been notified of freewheeling, it reports another number.
public enum RestlessEffect {
    /// The reported latency from the first freewheeling cycle on, in frames.
    public static let freewheelFrames = 999

    /// The effect for a catalogue.
    public static let effect = Effect(description: description, makeProcessor: makeProcessor)

    /// The description, with one parameter: `frames`, 0 to 1000.
    public static let description = NodeDescription(
        name: "restless", label: "Restless", summary: "",
        parameters: [ParameterDescription("frames", range: 0...1000, default: 0)])

    private static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        let kernel = RestlessKernel(latencyFrames: Int32(request.parameters[0]))
        let status = UnsafePointer(kernel.status)
        return Processor(
            kernel, inputCount: request.inputChannels, outputCount: request.outputChannels,
            isSplittable: false, usesMIDIOrTransport: true, status: status)
    }
}

private struct RestlessKernel: Kernel, ~Copyable {
    let status: UnsafeMutablePointer<RTStatus>

    init(latencyFrames: Int32) {
        status = .allocate(capacity: 1)
        status.initialize(to: RTStatus(latencyFrames: latencyFrames, droppedMessages: 0))
    }

    deinit { status.deallocate() }

    var latencyFrames: Int { Int(status.pointee.latencyFrames) }
    var tailFrames: Int? { 0 }

    mutating func run(_ block: UnsafePointer<RTBlock>) {
        if block.pointee.context?.pointee.transport.pointee.isFreewheeling == true {
            status.pointee.latencyFrames = Int32(RestlessEffect.freewheelFrames)
        }
        for channel in 0..<Int(block.pointee.outputCount) {
            rt_copy(
                block.pointee.outputs[channel], block.pointee.inputs[channel],
                Int64(block.pointee.frameCount))
        }
    }

    mutating func set(_ parameter: Int32, to value: Float) {
        status.pointee.latencyFrames = Int32(value)
    }

    mutating func reset() {}
}
