import CRealtime
import Glibc
import Processing
import TestSignals

/// Effects so simple that what comes out is known: `late`, `sum`, `poison`, `decay`, `dawdle`.
enum TestEffects {
    static let catalogue = Catalogue(
        effects: [
            LateEffect.effect, effect(sum, runSum), effect(poison, runPoison),
            effect(decay, runDecay), effect(dawdle, runDawdle),
        ],
        plugins: NoPlugins())

    static func description(_ name: String) -> NodeDescription {
        switch name {
        case sum.name: sum
        case poison.name: poison
        case decay.name: decay
        case dawdle.name: dawdle
        default: LateEffect.description
        }
    }

    private static let sum = NodeDescription(
        name: "sum", label: "Sum", summary: "", channels: .mixer)

    private static let poison = NodeDescription(
        name: "poison", label: "Poison", summary: "",
        parameters: [
            .choice("output", of: ["input", "nan", "infinity"])
        ])

    /// What comes in stays and fades, by 90 dB within half a second.
    ///
    /// It is mono.
    private static let decay = NodeDescription(name: "decay", label: "Decay", summary: "")

    /// Passes on what comes in, 20 ms late.
    private static let dawdle = NodeDescription(
        name: "dawdle", label: "Dawdle", summary: "")

    private static func effect(_ description: NodeDescription, _ run: @escaping RTRun) -> Effect {
        Effect(description: description) { request in
            let choice = UnsafeMutablePointer<Float>.allocate(capacity: 1)
            choice.initialize(to: request.parameters.first ?? 0)
            return Processor(
                state: choice, run: run, set: { state, _, value in output(state).pointee = value },
                reset: { _ in }, free: { $0.deallocate() }, inputCount: request.inputChannels,
                outputCount: request.outputChannels, latencyFrames: 0, tailFrames: 0,
                isSplittable: true)
        }
    }
}

private func output(_ state: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Float> {
    state.assumingMemoryBound(to: Float.self)
}

private func runSum(_ state: UnsafeMutableRawPointer, _ block: UnsafePointer<RTBlock>) {
    let block = block.pointee
    for frame in 0..<Int(block.frameCount) {
        block.outputs[0][frame] = (0..<Int(block.inputCount)).reduce(0) {
            $0 + block.inputs[$1][frame]
        }
    }
}

private func runDecay(_ state: UnsafeMutableRawPointer, _ block: UnsafePointer<RTBlock>) {
    let block = block.pointee
    for frame in 0..<Int(block.frameCount) {
        let sum = output(state).pointee * 0.9995 + 0.0005 * block.inputs[0][frame]
        output(state).pointee = sum
        block.outputs[0][frame] = sum
    }
}

private func runDawdle(_ state: UnsafeMutableRawPointer, _ block: UnsafePointer<RTBlock>) {
    usleep(20_000)
    let block = block.pointee
    rt_copy(block.outputs[0], block.inputs[0], Int64(block.frameCount))
}

private func runPoison(_ state: UnsafeMutableRawPointer, _ block: UnsafePointer<RTBlock>) {
    let block = block.pointee
    let poison: Float? = [nil, .nan, -.infinity][Int(output(state).pointee)]
    for channel in 0..<Int(block.outputCount) {
        for frame in 0..<Int(block.frameCount) {
            block.outputs[channel][frame] = poison ?? block.inputs[channel][frame]
        }
    }
}
