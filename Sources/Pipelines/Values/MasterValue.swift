public import Processing

/// A value of the whole session that bindings can move: the address without a node.
public enum MasterValue: String, Sendable, CaseIterable, Codable {
    /// The gain of all outputs.
    case gain
    /// The tempo.
    case tempo
    /// Whether all outputs are silent.
    case mute

    /// The description of the value.
    public var parameter: ParameterDescription {
        switch self {
        case .gain:
            ParameterDescription(rawValue, unit: .decibels, range: -120...24, default: 0)
        case .tempo:
            ParameterDescription(rawValue, unit: .beatsPerMinute, range: 20...400, default: 120)
        case .mute: .toggle(rawValue)
        }
    }

    /// The range of a binding that states none: no control makes the outputs louder unless the
    /// binding says so.
    var boundRange: ClosedRange<Float> {
        switch self {
        case .gain: -120...0
        case .tempo, .mute: parameter.range
        }
    }
}

extension Pipeline.Binding {
    /// A value that a binding moves.
    public enum Movable: Sendable, Hashable, Codable {
        /// A value of a node.
        case node(Pipeline.Address)
        /// A value of the whole session.
        case master(MasterValue)
    }
}

extension Pipeline {
    /// Returns the description of a value that a binding moves.
    public func parameter(of movable: Binding.Movable) -> ParameterDescription {
        switch movable {
        case .node(let address): parameter(at: address)
        case .master(let value): value.parameter
        }
    }

    /// Returns the address of a value that a binding moves, as written in files.
    public func text(of movable: Binding.Movable) -> String {
        switch movable {
        case .node(let address): text(of: address)
        case .master(let value): value.rawValue
        }
    }
}
