internal import Pipelines
internal import Processing

extension NodeDescription {
    /// `{"type", "label", "summary", "category", "parameters", "strip_parameters", "settings",
    /// "reports"}`.
    var json: JSONValue {
        [
            "type": .string(name), "label": .string(label), "summary": .string(summary),
            "category": .string(category),
            "parameters": .array(parameters.map(\.json)),
            "strip_parameters": .array(stripParameters.map(\.json)),
            "settings": .array(settings.map(\.json)),
            "reports": .array(allReports.map(\.json)),
        ]
    }
}

extension ParameterDescription {
    /// `{"name", "label", "summary", "kind", "unit", "minimum", "maximum", "default", "choices"}`.
    ///
    /// `choices` is null unless the parameter is a choice.
    var json: JSONValue {
        [
            "name": .string(name), "label": .string(label), "summary": .string(summary),
            "kind": .string(kindName), "unit": .string(unit.rawValue),
            "minimum": range.lowerBound.json, "maximum": range.upperBound.json,
            "default": json(of: defaultValue), "choices": choices,
        ]
    }

    private var kindName: String {
        switch kind {
        case .continuous(.linear): "linear"
        case .continuous(.logarithmic): "logarithmic"
        case .integer: "integer"
        case .toggle: "toggle"
        case .choice: "choice"
        }
    }

    private var choices: JSONValue {
        guard case .choice(let choices) = kind else { return nil }
        return .array(choices.map { .string($0.name) })
    }
}

extension SettingDescription {
    /// `{"name", "summary", "kind", "unit", "minimum", "maximum", "choices", "default"}`; members
    /// that do not apply are null.
    var json: JSONValue {
        let (kindName, minimum, maximum, choices) = shape
        return [
            "name": .string(name), "summary": .string(summary), "kind": .string(kindName),
            "unit": .string(unit.rawValue), "minimum": minimum, "maximum": maximum,
            "choices": choices, "default": defaultValue?.json ?? nil,
        ]
    }

    private var shape: (kind: String, minimum: JSONValue, maximum: JSONValue, choices: JSONValue) {
        switch kind {
        case .number(let range):
            ("number", .number(range.lowerBound), .number(range.upperBound), nil)
        case .integer(let range):
            ("integer", .integer(range.lowerBound), .integer(range.upperBound), nil)
        case .toggle: ("toggle", nil, nil, nil)
        case .choice(let names): ("choice", nil, nil, .array(names.map { .string($0) }))
        case .numberChoice(let numbers):
            ("choice", nil, nil, .array(numbers.map { .number($0) }))
        case .text: ("text", nil, nil, nil)
        case .path, .newPath: ("path", nil, nil, nil)
        case .url: ("url", nil, nil, nil)
        case .playlist: ("paths", nil, nil, nil)
        }
    }
}

extension ReportDescription {
    /// `{"name", "label", "unit"}`.
    var json: JSONValue {
        ["name": .string(name), "label": .string(label), "unit": .string(unit.rawValue)]
    }
}
