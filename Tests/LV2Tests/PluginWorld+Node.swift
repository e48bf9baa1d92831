import LV2
import Processing

extension PluginWorld {
    /// Returns a plugin's processor as a node creates it, at 48 kHz in blocks of 64 frames.
    ///
    /// With `sameCycle`, an isolated processor adds no latency.
    func makeProcessor(
        _ uri: String, settings: [String: SettingValue] = [:], parameters: [String: Float] = [:],
        isLive: Bool = false, isolation: Isolation = .none,
        sandbox: Sandbox = .on(folder: nil)
    ) throws -> Processor {
        let description = try description(ofPlugin: uri)
        var values: [String: Float] = [:]
        if let preset = settings["preset"]?.text {
            values = try self.parameters(ofPreset: preset, ofPlugin: uri)
        }
        values.merge(parameters) { $1 }
        guard case .ports(let inputs, let outputs) = description.channels else {
            throw PluginError("no ports")
        }
        return try makeProcessor(
            forPlugin: uri,
            ProcessorRequest(
                format: AudioFormat(sampleRate: 48000, maximumBlockFrames: 64, isLive: isLive),
                inputChannels: inputs.count, outputChannels: outputs.count,
                parameters: description.parameters.map { values[$0.name] ?? $0.defaultValue },
                settings: settings, isolation: isolation, sandbox: sandbox))
    }
}
