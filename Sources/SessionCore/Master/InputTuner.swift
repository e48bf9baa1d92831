internal import Engine
internal import Processing

/// The tuner of an input of the session.
enum InputTuner {
    /// Returns the processor that the engine lets listen to an input; `nil` without such an effect.
    static func processor(_ catalogue: Catalogue, format: AudioFormat) -> Processor? {
        catalogue.effect("tuner").flatMap { effect in
            // A tuner needs no file or plugin, so this does not fail.
            try? effect.makeProcessor(
                ProcessorRequest(
                    format: format, inputChannels: 1, outputChannels: 1,
                    parameters: effect.description.parameters.map(\.defaultValue)))
        }
    }
}
