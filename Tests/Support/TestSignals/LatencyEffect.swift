internal import CRealtime
public import Processing

/// An effect with a predictable output: each channel is delayed and multiplied by a factor.
///
/// The setting `frames` is its delay and its latency; the parameter `factor` changes immediately.
public enum LatencyEffect {
    /// A catalogue that contains only this effect.
    public static let catalogue = Catalogue(
        effects: [effect], plugins: NoPlugins())

    /// The effect.
    public static let effect = Effect(description: description, makeProcessor: makeProcessor)

    /// The description of the effect.
    public static let description = NodeDescription(
        name: "late", label: "Late", summary: "",
        parameters: [ParameterDescription("factor", range: -8...8, default: 1)],
        settings: [SettingDescription("frames", kind: .integer(0...100_000))])

    /// Creates a processor with the factor as its first parameter.
    public static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        Processor(
            LatencyKernel(
                factor: request.parameters[0],
                frames: Int(request.settings["frames"]?.number ?? 0),
                channels: request.inputChannels),
            inputCount: request.inputChannels, outputCount: request.outputChannels)
    }
}

private struct LatencyKernel: Kernel, ~Copyable {
    var factor: Float
    let frames: Int
    /// A ring of `frames` samples for each channel, one after the other.
    let lines: UnsafeMutablePointer<Float>
    var position = 0

    init(factor: Float, frames: Int, channels: Int) {
        self.factor = factor
        self.frames = frames
        lines = .allocate(capacity: max(1, frames * channels))
        lines.initialize(repeating: 0, count: max(1, frames * channels))
    }

    deinit { lines.deallocate() }

    var latencyFrames: Int { frames }
    var tailFrames: Int? { 0 }

    mutating func set(_ parameter: Int32, to value: Float) {
        if parameter == 0 { factor = value }
    }

    mutating func reset() {}

    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        for frame in 0..<Int(block.frameCount) {
            for channel in 0..<Int(block.outputCount) {
                let sample = block.inputs[channel][frame]
                block.outputs[channel][frame] = factor * exchange(sample, channel)
            }
            position = frames > 0 ? (position + 1) % frames : 0
        }
    }

    private func exchange(_ sample: Float, _ channel: Int) -> Float {
        guard frames > 0 else { return sample }
        let index = channel * frames + position
        defer { lines[index] = sample }
        return lines[index]
    }
}
