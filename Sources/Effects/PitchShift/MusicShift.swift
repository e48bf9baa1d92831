internal import Processing

/// Creates the processor of `pitch-shift` in `music` mode.
enum MusicShift {
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        Processor(
            MusicShiftKernel(
                channelCount: request.inputChannels, sampleRate: request.format.sampleRate,
                isLong: request.settings["quality"]?.text == "high",
                keepsFormants: request.settings["formants"]?.text == "preserve",
                semitones: request[PitchControls.Parameter.semitones],
                cents: request[PitchControls.Parameter.cents],
                formantSemitones: request[PitchControls.Parameter.formantSemitones]),
            inputCount: request.inputChannels, outputCount: request.inputChannels)
    }
}
