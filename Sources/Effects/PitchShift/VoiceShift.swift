internal import Processing

/// Creates the processor of `pitch-shift` in `voice` mode.
enum VoiceShift {
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        Processor(
            VoiceShiftKernel(
                channelCount: request.inputChannels, sampleRate: request.format.sampleRate,
                followsPitch: request.settings["formants"]?.text == "follow",
                semitones: request[PitchControls.Parameter.semitones],
                cents: request[PitchControls.Parameter.cents],
                formantSemitones: request[PitchControls.Parameter.formantSemitones]),
            inputCount: request.inputChannels, outputCount: request.inputChannels)
    }
}
