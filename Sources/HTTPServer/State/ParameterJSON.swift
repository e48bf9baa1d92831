internal import Pipelines
internal import Processing

/// The description of an address that can be set, for the part `pipeline`.
struct ParameterJSON {
    /// The id of the node; `nil` for an address of the session.
    var node: String?
    /// The strip of a mixer to which the parameter belongs; `nil` without one.
    var strip: String?
    /// Whether other programs may set the value.
    var admitsRemote = true
    private let address: String
    private let parameter: ParameterDescription

    /// Creates the description of an address.
    init(address: String, _ parameter: ParameterDescription) {
        self.address = address
        self.parameter = parameter
    }

    /// The object.
    var object: JSONValue {
        [
            "address": .string(address), "name": .string(parameter.name),
            "node": .optional(node), "strip": .optional(strip),
            "label": .string(parameter.label), "summary": .string(parameter.summary),
            "unit": .string(parameter.unit.rawValue), "kind": .string(kind),
            "minimum": number(parameter.range.lowerBound),
            "maximum": number(parameter.range.upperBound),
            "default": value(parameter.defaultValue), "choices": choices,
            "trigger": .bool(parameter.isTrigger), "transport": .bool(parameter.isTransport),
            "remote": .bool(admitsRemote), "gain_factor": .bool(parameter.isGainFactor),
            "group": .optional(parameter.group.isEmpty ? nil : parameter.group),
        ]
    }

    private var kind: String {
        switch parameter.kind {
        case .continuous(.linear): "linear"
        case .continuous(.logarithmic): "logarithmic"
        case .integer: "integer"
        case .toggle: "toggle"
        case .choice: "choice"
        }
    }

    private var choices: JSONValue {
        guard case .choice(let choices) = parameter.kind else { return .null }
        return .array(choices.map { .string($0.name) })
    }

    private func value(_ number: Float) -> JSONValue {
        switch parameter.kind {
        case .continuous, .integer: self.number(number)
        case .toggle: .bool(number >= 0.5)
        case .choice(let choices):
            choices.first { $0.value == number }.map { .string($0.name) } ?? .null
        }
    }

    /// Returns the number with the fewest digits that identify the `Float`: 0.35, not
    /// 0.3499999940395355.
    private func number(_ number: Float) -> JSONValue { .number(Double("\(number)") ?? 0) }
}
