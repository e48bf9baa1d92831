internal import Processing

/// Creates the processor of `pitch-shift` in `music` mode with the quality `fast`.
enum FastShift {
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        Processor(
            FastShiftKernel(
                channelCount: request.inputChannels, sampleRate: request.format.sampleRate,
                keepsFormants: request.settings["formants"]?.text == "preserve",
                semitones: request[PitchControls.Parameter.semitones],
                cents: request[PitchControls.Parameter.cents],
                formantSemitones: request[PitchControls.Parameter.formantSemitones]),
            inputCount: request.inputChannels, outputCount: request.inputChannels)
    }
}
