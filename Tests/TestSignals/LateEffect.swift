internal import CRealtime
public import Processing

/// An effect whose output is known: each channel delayed, times a factor.
///
/// The setting `frames` is its delay and its latency; the parameter `factor` changes at once.
public enum LateEffect {
    /// A catalogue of this effect alone.
    public static let catalogue = Catalogue(
        effects: [effect], plugins: NoPlugins())

    /// The effect.
    public static let effect = Effect(description: description, makeProcessor: makeProcessor)

    /// What files may say of it.
    public static let description = NodeDescription(
        name: "late", label: "Late", summary: "",
        parameters: [ParameterDescription("factor", range: -8...8, default: 1)],
        settings: [SettingDescription("frames", kind: .integer(0...100_000))])

    /// Makes one with the factor as its first parameter.
    public static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        let frames = Int(request.settings["frames"]?.number ?? 0)
        let state = UnsafeMutablePointer<LateState>.allocate(capacity: 1)
        state.initialize(
            to: LateState(
                factor: request.parameters[0], frames: frames, channels: request.inputChannels))
        return Processor(
            state: state, run: { late($0).pointee.run($1.pointee) },
            set: { late($0).pointee.set(parameter: $1, to: $2) }, reset: { _ in },
            free: {
                late($0).pointee.lines.deallocate()
                late($0).deallocate()
            }, inputCount: request.inputChannels, outputCount: request.outputChannels,
            latencyFrames: frames, tailFrames: 0, isSplittable: true)
    }
}

private func late(_ state: UnsafeMutableRawPointer) -> UnsafeMutablePointer<LateState> {
    state.assumingMemoryBound(to: LateState.self)
}

private struct LateState {
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

    mutating func set(parameter: Int32, to value: Float) {
        if parameter == 0 { factor = value }
    }

    mutating func run(_ block: RTBlock) {
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
        let place = channel * frames + position
        defer { lines[place] = sample }
        return lines[place]
    }
}
