import CRealtime
import Processing

/// `late`: delays by `frames`, reports that as its latency, and multiplies what comes in by `factor`, at once.
enum LateEffect {
    static let effect = Effect(
        description: NodeDescription(
            name: "late", label: "Late", summary: "",
            parameters: [ParameterDescription("factor", range: -8...8, default: 1)],
            settings: [SettingDescription("frames", kind: .integer(0...100_000))]),
        makeProcessor: makeProcessor)

    @Sendable
    private static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        let frames = Int(request.settings["frames"]?.number ?? 0)
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(
            to: State(
                factor: request.parameters[0], frames: frames, channels: request.inputChannels))
        return Processor(
            state: state,
            run: { $0.assumingMemoryBound(to: State.self).pointee.run($1.pointee) },
            set: { $0.assumingMemoryBound(to: State.self).pointee.factor = ($1, $2).1 },
            reset: { _ in },
            free: { state in
                state.assumingMemoryBound(to: State.self).deinitialize(count: 1)
                state.deallocate()
            },
            inputCount: request.inputChannels, outputCount: request.inputChannels,
            latencyFrames: frames, tailFrames: 0, isSplittable: true)
    }

    private struct State {
        var factor: Float
        let frames: Int
        var lines: [[Float]]
        var position = 0

        init(factor: Float, frames: Int, channels: Int) {
            self.factor = factor
            self.frames = frames
            lines = Array(repeating: Array(repeating: 0, count: frames + 1), count: channels)
        }

        mutating func run(_ block: RTBlock) {
            for frame in 0..<Int(block.frameCount) {
                let oldest = (position + 1) % (frames + 1)
                for channel in lines.indices {
                    lines[channel][position] = block.inputs[channel][frame] * factor
                    block.outputs[channel][frame] = lines[channel][oldest]
                }
                position = oldest
            }
        }
    }
}

/// A source without any plugin.
struct NoPlugins: PluginSource {
    func description(ofPlugin uri: String) throws(PluginFault) -> NodeDescription {
        throw PluginFault("no plugin", isMissing: true)
    }
    func installedPlugins() -> [String] { [] }
    func parameters(
        ofPreset preset: String, ofPlugin uri: String
    ) throws(PluginFault) -> [String: Float] { throw PluginFault("no preset") }
    func makeProcessor(
        forPlugin uri: String, _ request: ProcessorRequest
    ) throws(PluginFault) -> Processor { throw PluginFault("no plugin", isMissing: true) }
}
