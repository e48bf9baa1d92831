internal import Processing

extension KeyDescription {
    /// The JSON Schema of the key's value.
    var schema: JSONValue {
        guard case .object(var members) = shape.schema else { return shape.schema }
        members.insert(.init("description", .string(summary)), at: 0)
        if let defaultValue { members.append(.init("default", defaultValue)) }
        return .object(members)
    }
}

extension Shape {
    /// The JSON Schema of the shape.
    var schema: JSONValue {
        switch self {
        case .text(let form): form.schema
        case .toggle: ["type": "boolean"]
        case .whole(let range, _): Self.whole(range)
        case .number(let range, _):
            [
                "type": "number", "minimum": .number(range.lowerBound),
                "maximum": .number(range.upperBound),
            ]
        case .oneOf(let values): ["enum": .array(values.map { .integer($0) })]
        case .choice(let names): ["enum": .array(names.map { .string($0) })]
        case .scalar: ["type": ["number", "boolean", "string"]]
        case .list(let shape, let count):
            [
                "type": "array", "items": shape.schema,
                "minItems": .integer(count.lowerBound), "maxItems": .integer(count.upperBound),
            ]
        case .object(let table): Self.object(table)
        case .map(let form, let shape): Self.map(form, shape)
        case .either(let shapes): ["anyOf": .array(shapes.map(\.schema))]
        case .node: ["$ref": "#/definitions/node"]
        }
    }

    /// The members of the schema, for use in a larger schema object.
    var members: [JSONValue.Member] {
        if case .object(let members) = schema { members } else { [] }
    }

    private static func whole(_ range: ClosedRange<Int>) -> JSONValue {
        guard range.count > 1 else { return ["const": .integer(range.lowerBound)] }
        return [
            "type": "integer", "minimum": .integer(range.lowerBound),
            "maximum": .integer(range.upperBound),
        ]
    }

    private static func object(_ table: KeyTable) -> JSONValue {
        if table.subject == PipelineKeys.binding.subject {
            return ["$ref": "#/definitions/binding"]
        }
        return .object(PipelineSchema.members(of: table))
    }

    private static func map(_ form: TextForm, _ shape: Shape) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("type", "object"), .init("additionalProperties", shape.schema),
        ]
        if let pattern = form.pattern {
            members.append(.init("propertyNames", ["pattern": .string(pattern)]))
        }
        return .object(members)
    }
}

extension TextForm {
    var schema: JSONValue {
        guard let pattern else { return ["type": "string"] }
        return ["type": "string", "pattern": .string(pattern)]
    }
}
