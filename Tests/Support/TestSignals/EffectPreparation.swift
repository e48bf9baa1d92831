public import Processing

extension Effect {
    /// Returns a processor of the effect; omitted values have their defaults.
    ///
    /// A mixer's `stripChannels` replace `channels`. Parameters are given by name, a choice by its
    /// index, and parameters of a mixer's strips by the strip's index: `0.gain`.
    public func processor(
        channels: Int = 1, stripChannels: [Int] = [], outputChannels: Int? = nil,
        sampleRate: Double = 48_000, parameters: [String: Float] = [:],
        settings: [String: SettingValue] = [:], tempo: Double = 120
    ) -> Processor {
        let strips = stripChannels.indices.flatMap { strip in
            description.stripParameters.map { ("\(strip).\($0.name)", $0.defaultValue) }
        }
        let all = description.parameters.map { ($0.name, $0.defaultValue) } + strips
        let request = ProcessorRequest(
            format: AudioFormat(sampleRate: sampleRate, maximumBlockFrames: 4096),
            inputChannels: stripChannels.isEmpty ? channels : stripChannels.reduce(0, +),
            outputChannels: outputChannels ?? channels, stripChannels: stripChannels,
            parameters: all.map { parameters[$0.0] ?? $0.1 }, settings: settings, tempo: tempo)
        do {
            return try makeProcessor(request)
        } catch {
            preconditionFailure("\(description.name): \(error.message)")
        }
    }
}
