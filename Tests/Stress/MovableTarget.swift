internal import CRealtime
internal import Engine
internal import Glibc
internal import Pipelines
internal import Processing

/// A value of a node that may move while it plays, and where to.
struct MovableTarget: Sendable {
    private let node: Int32
    private let target: Int32
    private let kind: ParameterDescription.Kind
    private let range: ClosedRange<Float>

    /// Bypass, mix and all parameters of all nodes.
    static func all(of pipeline: Pipeline, sampleRate: Double) -> [MovableTarget] {
        pipeline.nodes.enumerated().flatMap { place, node in
            let common = [
                MovableTarget(
                    node: Int32(place), target: Int32(RTTargetMix.rawValue),
                    kind: .continuous(.linear), range: 0...1),
                MovableTarget(
                    node: Int32(place), target: Int32(RTTargetBypass.rawValue), kind: .toggle,
                    range: 0...1),
            ]
            return common
                + node.parameters.enumerated().map { index, parameter in
                    let scale = parameter.rangeScalesWithRate ? Float(sampleRate) : 1
                    return MovableTarget(
                        node: Int32(place), target: Int32(index), kind: parameter.kind,
                        range: parameter.range.lowerBound * scale...parameter.range.upperBound
                            * scale)
                }
        }
    }

    /// A command that moves the value anywhere in its range, to one of its ends every fourth time.
    func command(using random: inout SeededRandom) -> Command {
        .set(node: node, target: target, value: value(using: &random), frame: 0)
    }

    private func value(using random: inout SeededRandom) -> Float {
        if Int.random(in: 0..<4, using: &random) == 0 {
            return Bool.random(using: &random) ? range.lowerBound : range.upperBound
        }
        let share = Float.random(in: 0...1, using: &random)
        let linear = range.lowerBound + (range.upperBound - range.lowerBound) * share
        switch kind {
        case .continuous(.logarithmic) where range.lowerBound > 0:
            return range.lowerBound * powf(range.upperBound / range.lowerBound, share)
        case .continuous: return linear
        case .toggle, .integer: return linear.rounded()
        case .choice(let choices): return choices.randomElement(using: &random)?.value ?? linear
        }
    }
}
