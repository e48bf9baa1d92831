import CRealtime
import Processing
import TestSignals

/// Effects so simple that what comes out is known: `scale`, `late`, `sum`, `poison`.
enum TestEffects {
    static let catalogue = Catalogue(
        effects: ["scale", "late", "sum", "poison", "source"].map { name in
            Effect(description: description(name)) { makeProcessor(name, $0) }
        }, plugins: NoPlugins())

    static func description(_ name: String) -> NodeDescription {
        let factor = ParameterDescription("factor", range: -8...8, default: 1)
        return NodeDescription(
            name: name, label: name, summary: "", channels: name == "sum" ? .mixer : .asFed,
            parameters: name == "sum" ? [] : [factor],
            settings: [SettingDescription("frames", kind: .integer(0...100_000))])
    }

    private static func makeProcessor(_ name: String, _ request: ProcessorRequest) -> Processor {
        let frames = Int(request.settings["frames"]?.number ?? 0)
        let state = UnsafeMutablePointer<TestState>.allocate(capacity: 1)
        state.initialize(
            to: TestState(factor: request.parameters.first ?? 1, frames: frames, request))
        let run: RTRun =
            switch name {
            case "sum": { state, block in test(state).sum(block.pointee) }
            case "poison": { state, block in test(state).poison(block.pointee) }
            case "source": { state, block in test(state).source(block.pointee) }
            default: { state, block in test(state).delayAndScale(block.pointee) }
            }
        return Processor(
            state: state, run: run,
            set: {
                test($0).factor[0] = $2; _ = $1
            }, reset: { _ in },
            free: { state in
                test(state).free()
                state.deallocate()
            }, inputCount: request.inputChannels, outputCount: request.outputChannels,
            latencyFrames: frames, tailFrames: 0, isSplittable: true)
    }
}

private func test(_ state: UnsafeMutableRawPointer) -> TestState {
    state.assumingMemoryBound(to: TestState.self).pointee
}

/// One state for all of them: a factor, and a delay line for each channel.
private struct TestState {
    let factor: UnsafeMutablePointer<Float>
    let lines: [UnsafeMutablePointer<Float>]
    let frames: Int

    init(factor: Float, frames: Int, _ request: ProcessorRequest) {
        self.factor = .allocate(capacity: 1)
        self.factor.initialize(to: factor)
        self.frames = frames
        lines = (0..<request.inputChannels).map { _ in
            let line = UnsafeMutablePointer<Float>.allocate(capacity: frames + 1)
            line.initialize(repeating: 0, count: frames + 1)
            return line
        }
    }

    func free() {
        factor.deallocate()
        for line in lines { line.deallocate() }
    }

    func delayAndScale(_ block: RTBlock) {
        for channel in 0..<Int(block.outputCount) {
            let line = lines[channel]
            for frame in 0..<Int(block.frameCount) {
                line[frames] = block.inputs[channel][frame]
                block.outputs[channel][frame] = line[0] * factor[0]
                for place in 0..<frames { line[place] = line[place + 1] }
            }
        }
    }

    func sum(_ block: RTBlock) {
        for frame in 0..<Int(block.frameCount) {
            block.outputs[0][frame] = (0..<Int(block.inputCount)).reduce(0) {
                $0 + block.inputs[$1][frame]
            }
        }
    }

    /// Passes sound on while the factor is 1, and puts out NaN while it is 2, infinity while it is 3.
    func poison(_ block: RTBlock) {
        for channel in 0..<Int(block.outputCount) {
            for frame in 0..<Int(block.frameCount) {
                let sound = block.inputs[channel][frame]
                block.outputs[channel][frame] =
                    factor[0] == 2 ? .nan : factor[0] == 3 ? -.infinity : sound
            }
        }
    }

    func source(_ block: RTBlock) {
        for frame in 0..<Int(block.frameCount) { block.outputs[0][frame] = factor[0] }
    }
}
