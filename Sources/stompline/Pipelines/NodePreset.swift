internal import Pipelines
internal import Processing

/// The plugin of a node and the values for a preset.
struct NodePreset {
    /// The plugin's URI.
    let uri: String
    /// The values and settings of the node.
    let request: ProcessorRequest

    /// Creates the preset of a node, given by its index; `nil` if the node is not an LV2 plugin.
    init?(ofNode index: Int, in pipeline: Pipeline) {
        let node = pipeline.nodes[index]
        guard case .plugin(let uri) = node.type,
            case .ports(let inputs, let outputs) = node.description.channels
        else { return nil }
        self.uri = uri
        request = ProcessorRequest(
            format: AudioFormat(sampleRate: 48000, maximumBlockFrames: 1024),
            inputChannels: inputs.count, outputChannels: outputs.count,
            parameters: node.values, settings: node.settings, tempo: pipeline.tempo)
    }
}
