internal import Processing

/// The maker of `pitch-shift` in `music` mode.
enum MusicShift {
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        let kernel = MusicShiftKernel(
            channelCount: request.inputChannels, sampleRate: request.format.sampleRate,
            isLong: request.settings["quality"]?.text == "high",
            keepsFormants: request.settings["formants"]?.text == "preserve",
            semitones: request.parameters[0], cents: request.parameters[1],
            formantSemitones: request.parameters[2])
        let (latencyFrames, tailFrames) = (kernel.latencyFrames, kernel.tailFrames)
        return Processor(
            state: allocateKernel(kernel),
            run: { $0.assumingMemoryBound(to: MusicShiftKernel.self).pointee.run($1) },
            set: { $0.assumingMemoryBound(to: MusicShiftKernel.self).pointee.set($1, to: $2) },
            reset: { $0.assumingMemoryBound(to: MusicShiftKernel.self).pointee.reset() },
            free: { freeKernel($0, as: MusicShiftKernel.self) },
            inputCount: request.inputChannels, outputCount: request.inputChannels,
            latencyFrames: latencyFrames, tailFrames: tailFrames, isSplittable: true)
    }
}
