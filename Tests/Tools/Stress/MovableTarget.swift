internal import Glibc
internal import Pipelines
internal import Processing
internal import SessionCore

/// A value of a node that can move while the session runs, and its range.
struct MovableTarget: Sendable {
    private let address: String
    private let kind: ParameterDescription.Kind
    private let range: ClosedRange<Float>

    /// Returns bypass, mix and all parameters of all nodes.
    static func all(of pipeline: Pipeline, sampleRate: Double) -> [MovableTarget] {
        pipeline.nodes.enumerated().flatMap { index, node in
            let parameters = node.parameters.indices.map {
                Pipeline.Address(node: index, target: .parameter($0))
            }
            let common: [Pipeline.Address.Target] = [.bypass, .mix]
            let addresses = parameters + common.map { Pipeline.Address(node: index, target: $0) }
            return addresses.map { MovableTarget($0, of: pipeline, sampleRate: sampleRate) }
        }
    }

    private init(_ address: Pipeline.Address, of pipeline: Pipeline, sampleRate: Double) {
        let parameter = pipeline.parameter(at: address)
        let scale = parameter.rangeScalesWithRate ? Float(sampleRate) : 1
        self.address = pipeline.text(of: address)
        kind = parameter.kind
        range = parameter.range.lowerBound * scale...parameter.range.upperBound * scale
    }

    /// Returns a request that moves the value within its range, every fourth time to one of its
    /// ends.
    func request(using random: inout SeededRandom) -> SessionRequest {
        .set(address, value(using: &random))
    }

    private func value(using random: inout SeededRandom) -> Value {
        let number = number(using: &random)
        switch kind {
        case .continuous: return .number(Double(number))
        case .toggle: return .toggle(number >= 0.5)
        case .integer: return .number(Double(number.rounded()))
        case .choice(let choices):
            return choices.randomElement(using: &random).map { .text($0.name) }
                ?? .number(Double(number))
        }
    }

    private func number(using random: inout SeededRandom) -> Float {
        if Int.random(in: 0..<4, using: &random) == 0 {
            return Bool.random(using: &random) ? range.lowerBound : range.upperBound
        }
        let share = Float.random(in: 0...1, using: &random)
        if case .continuous(.logarithmic) = kind, range.lowerBound > 0 {
            return range.lowerBound * powf(range.upperBound / range.lowerBound, share)
        }
        return range.lowerBound + (range.upperBound - range.lowerBound) * share
    }
}
