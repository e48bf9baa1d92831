import CRealtime
import Glibc
import Processing
import TestSignals

/// Effects with a predictable output.
///
/// They are `late`, `sum`, `poison`, `decay`, `dawdle`, `tally`, `follow`, `chatter` and `hold`.
enum TestEffects {
    static let catalogue = Catalogue(
        effects: [
            LatencyEffect.effect, effect(sum, SumKernel.init), effect(poison, PoisonKernel.init),
            effect(decay, DecayKernel.init), effect(dawdle, DawdleKernel.init),
            effect(tally, TallyKernel.init),
            FollowEffect.effect, ChatterEffect.effect, HoldEffect.effect,
        ],
        plugins: NoPlugins())

    static func description(_ name: String) -> NodeDescription {
        switch name {
        case sum.name: sum
        case poison.name: poison
        case decay.name: decay
        case dawdle.name: dawdle
        case tally.name: tally
        case FollowEffect.description.name: FollowEffect.description
        case ChatterEffect.description.name: ChatterEffect.description
        case HoldEffect.description.name: HoldEffect.description
        default: LatencyEffect.description
        }
    }

    private static let sum = NodeDescription(
        name: "sum", label: "Sum", summary: "", channels: .mixer)

    private static let poison = NodeDescription(
        name: "poison", label: "Poison", summary: "",
        parameters: [
            .choice("output", of: ["input", "nan", "infinity"])
        ])

    /// Holds its input and lets it decay by 90 dB within half a second.
    ///
    /// It is mono.
    private static let decay = NodeDescription(name: "decay", label: "Decay", summary: "")

    /// Passes its input and takes 20 ms of computing time.
    private static let dawdle = NodeDescription(
        name: "dawdle", label: "Dawdle", summary: "")

    /// Outputs the number of its runs, and takes 20 ms for each of them while `slow` is on.
    private static let tally = NodeDescription(
        name: "tally", label: "Tally", summary: "",
        parameters: [.toggle("slow")])

    /// An effect whose kernel is made from its first parameter.
    private static func effect<Tested: TestKernel>(
        _ description: NodeDescription, _ makeKernel: @escaping @Sendable (Float) -> Tested
    ) -> Effect {
        Effect(description: description) { request in
            Processor(
                makeKernel(request.parameters.first ?? 0), inputCount: request.inputChannels,
                outputCount: request.outputChannels)
        }
    }
}

/// A kernel without latency and tail.
private protocol TestKernel: Kernel, SendableMetatype {}

extension TestKernel {
    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }
    mutating func set(_ parameter: Int32, to value: Float) {}
    mutating func reset() {}
}

private struct SumKernel: TestKernel {
    init(_ value: Float) {}

    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        for frame in 0..<Int(block.frameCount) {
            block.outputs[0][frame] = (0..<Int(block.inputCount)).reduce(0) {
                $0 + block.inputs[$1][frame]
            }
        }
    }
}

private struct DecayKernel: TestKernel {
    private var level: Float

    init(_ value: Float) { level = value }

    mutating func set(_ parameter: Int32, to value: Float) { level = value }

    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        for frame in 0..<Int(block.frameCount) {
            level = level * 0.9995 + 0.0005 * block.inputs[0][frame]
            block.outputs[0][frame] = level
        }
    }
}

private struct DawdleKernel: TestKernel {
    init(_ value: Float) {}

    mutating func run(_ block: UnsafePointer<RTBlock>) {
        usleep(20_000)
        let block = block.pointee
        rt_copy(block.outputs[0], block.inputs[0], Int64(block.frameCount))
    }
}

private struct TallyKernel: TestKernel {
    private var isSlow: Bool
    private var runs: Float = 0

    init(_ value: Float) { isSlow = value >= 0.5 }

    mutating func set(_ parameter: Int32, to value: Float) { isSlow = value >= 0.5 }

    mutating func run(_ block: UnsafePointer<RTBlock>) {
        if isSlow { usleep(20_000) }
        runs += 1
        for frame in 0..<Int(block.pointee.frameCount) { block.pointee.outputs[0][frame] = runs }
    }
}

private struct PoisonKernel: TestKernel {
    private var choice: Float

    init(_ value: Float) { choice = value }

    mutating func set(_ parameter: Int32, to value: Float) { choice = value }

    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        let poison: Float? = [nil, .nan, -.infinity][Int(choice)]
        for channel in 0..<Int(block.outputCount) {
            for frame in 0..<Int(block.frameCount) {
                block.outputs[channel][frame] = poison ?? block.inputs[channel][frame]
            }
        }
    }
}
