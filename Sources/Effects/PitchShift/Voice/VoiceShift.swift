internal import Processing

/// The pitch shifter's `voice` mode: makes its processor.
enum VoiceShift {
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        let values = request.parameters
        let kernel = VoiceShiftKernel(
            channelCount: request.inputChannels, sampleRate: request.format.sampleRate,
            followsPitch: request.settings["formants"]?.text == "follow",
            parameters: (values[0], values[1], values[2]))
        let (latencyFrames, tailFrames) = (kernel.latencyFrames, kernel.tailFrames)
        return Processor(
            state: allocateKernel(kernel),
            run: { $0.assumingMemoryBound(to: VoiceShiftKernel.self).pointee.run($1) },
            set: { $0.assumingMemoryBound(to: VoiceShiftKernel.self).pointee.set($1, to: $2) },
            reset: { $0.assumingMemoryBound(to: VoiceShiftKernel.self).pointee.reset() },
            free: { freeKernel($0, as: VoiceShiftKernel.self) },
            inputCount: request.inputChannels, outputCount: request.inputChannels,
            latencyFrames: latencyFrames, tailFrames: tailFrames, isSplittable: true)
    }
}
