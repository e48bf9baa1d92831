public import LV2
public import Processing

extension PluginWorld {
    /// Returns a processor of a plugin with its default controls.
    public func makeProcessor(
        _ uri: String, sampleRate: Double = 48000, blockFrames: Int = 64,
        isolation: Isolation = .none
    ) throws(PluginError) -> Processor {
        let description = try description(ofPlugin: uri)
        guard case .ports(let inputs, let outputs) = description.channels else {
            throw PluginError("no ports")
        }
        return try makeProcessor(
            forPlugin: uri,
            ProcessorRequest(
                format: AudioFormat(sampleRate: sampleRate, maximumBlockFrames: blockFrames),
                inputChannels: inputs.count, outputChannels: outputs.count,
                parameters: description.parameters.map(\.defaultValue), isolation: isolation))
    }
}
