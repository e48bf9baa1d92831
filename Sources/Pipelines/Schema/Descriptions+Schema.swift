public import Processing

extension ParameterDescription {
    /// The JSON Schema of a built-in effect's parameter.
    var schema: JSONValue {
        let text = JSONValue.Member("description", .string(described(summary, label, unit)))
        switch kind {
        case .toggle:
            return .object([
                text, .init("type", "boolean"), .init("default", .bool(defaultValue != 0)),
            ])
        case .choice(let choices): return .object([text] + choice(choices))
        case .integer: return .object([text, .init("type", "integer")] + bounds)
        case .continuous: return .object([text, .init("type", "number")] + bounds)
        }
    }

    private func choice(_ choices: [Choice]) -> [JSONValue.Member] {
        let names = JSONValue.Member("enum", .array(choices.map { .string($0.name) }))
        guard let standard = choices.first(where: { $0.value == defaultValue }) else {
            return [names]
        }
        return [names, .init("default", .string(standard.name))]
    }

    private var bounds: [JSONValue.Member] {
        let standard = JSONValue.Member("default", .decimal(defaultValue))
        if rangeScalesWithRate { return [standard] }
        return [
            .init("minimum", .decimal(range.lowerBound)),
            .init("maximum", .decimal(range.upperBound)), standard,
        ]
    }
}

extension SettingDescription {
    /// The JSON Schema of a setting.
    var schema: JSONValue {
        let text = JSONValue.Member("description", .string(described(summary, name, unit)))
        let standard = defaultValue.map { [JSONValue.Member("default", $0.json)] } ?? []
        return .object([text] + kind.schema + standard)
    }
}

extension SettingDescription.Kind {
    fileprivate var schema: [JSONValue.Member] {
        switch self {
        case .number(let range):
            [
                .init("type", "number"), .init("minimum", .number(range.lowerBound)),
                .init("maximum", .number(range.upperBound)),
            ]
        case .integer(let range):
            [
                .init("type", "integer"), .init("minimum", .integer(range.lowerBound)),
                .init("maximum", .integer(range.upperBound)),
            ]
        case .toggle: [.init("type", "boolean")]
        case .choice(let names): [.init("enum", .array(names.map { .string($0) }))]
        case .numberChoice(let values): [.init("enum", .array(values.map { .number($0) }))]
        case .text, .path, .newPath, .url: [.init("type", "string")]
        case .playlist: PipelineKeys.playlist.members
        }
    }
}

extension SettingValue {
    /// The setting as written in files.
    public var json: JSONValue {
        switch self {
        case .number(let value): .number(value)
        case .toggle(let value): .bool(value)
        case .text(let value): .string(value)
        case .playlist(let items):
            .array(
                items.map {
                    $0.gain == 0
                        ? .string($0.path) : ["file": .string($0.path), "gain": .number($0.gain)]
                })
        }
    }
}

extension JSONValue {
    /// Returns the shortest decimal that reads back as the same float.
    ///
    /// For example, it returns 0.95, where the nearest double of the float has 17 digits.
    public static func decimal(_ value: Float) -> JSONValue {
        .number(Double(value.description) ?? Double(value))
    }
}

/// Returns the summary, or the label without a summary, followed by the unit.
private func described(_ summary: String, _ label: String, _ unit: Unit) -> String {
    let text = summary.isEmpty ? label : summary
    return unit == .none ? text : "\(text) (\(unit.rawValue))"
}
