internal import Processing

/// The shape of a value in a file; the check and the JSON Schema both use it.
indirect enum Shape: Sendable {
    /// A text in a given form.
    case text(TextForm)
    case toggle
    case whole(ClosedRange<Int>, Unit)
    case number(ClosedRange<Double>, Unit)
    /// One of these integers.
    case oneOf([Int])
    case choice([String])
    /// A value of a parameter: a number, a Boolean value or a text.
    case scalar
    case list(of: Shape, count: ClosedRange<Int>)
    /// An object with these keys.
    case object(KeyTable)
    /// An object with these keys, and others whose values have a shape.
    case open(KeyTable, others: Shape)
    /// An object with names of a form and values of a shape.
    case map(TextForm, to: Shape)
    /// Any of these shapes; each has a different JSON type.
    case either([Shape])
    /// A node, whose keys depend on its type.
    case node

    /// The shape as text for messages.
    var expectation: String {
        switch self {
        case .text: "text"
        case .toggle: "true or false"
        case .whole: "a whole number"
        case .number: "a number"
        case .oneOf(let values): Quantity.alternatives(values.map(String.init))
        case .choice(let names):
            Quantity.alternatives(names.map { Quoted($0).description })
        case .scalar: "a number, true, false or text"
        case .list: "an array"
        case .object, .open, .map, .node: "an object"
        case .either(let shapes): Quantity.alternatives(shapes.flatMap(\.alternatives))
        }
    }

    private var alternatives: [String] {
        if case .toggle = self { ["true", "false"] } else { [expectation] }
    }

    /// Returns whether a value has the JSON type of this shape.
    func admitsType(of element: JSONElement) -> Bool {
        switch (self, element.content) {
        case (.text, .string), (.choice, .string), (.toggle, .bool), (.whole, .number),
            (.number, .number), (.oneOf, .number), (.list, .array), (.object, .object),
            (.map, .object), (.open, .object),
            (.node, .object), (.scalar, .string), (.scalar, .bool), (.scalar, .number):
            true
        case (.either(let shapes), _): shapes.contains { $0.admitsType(of: element) }
        default: false
        }
    }
}

/// The form of a text.
struct TextForm: Sendable {
    /// The requirement as text for messages.
    var demand: String
    /// The regular expression (ECMA 262) for the JSON Schema; `nil` if any text is allowed.
    var pattern: String?
    var admits: @Sendable (String) -> Bool

    static let any = TextForm(demand: "must be text", pattern: nil) { _ in true }

    static let filled = TextForm(demand: "must not be empty", pattern: "^[\\s\\S]") { !$0.isEmpty }

    /// The `id` of a node.
    static let identifier = TextForm(
        demand: "must be a letter, then letters, digits, - or _",
        pattern: "^[A-Za-z][A-Za-z0-9_-]*$"
    ) { text in
        guard let first = text.utf8.first, TextScanner.isLetter(first), first != 0x5F else {
            return false
        }
        return text.utf8.allSatisfy {
            TextScanner.isLetter($0) || TextScanner.isDigit($0) || $0 == 0x2D
        }
    }

    /// Text that displays and OSC messages have room for.
    static let notes = TextForm(
        demand: "must have at most 1000 characters", pattern: "^[\\s\\S]{0,1000}$"
    ) { $0.unicodeScalars.count <= 1000 }

    /// A color: red, green and blue with two hexadecimal digits each.
    static let color = TextForm(
        demand: "must be # and six hexadecimal digits, such as \"#ff8800\"",
        pattern: "^#[0-9A-Fa-f]{6}$"
    ) { text in
        text.utf8.count == 7 && text.hasPrefix("#")
            && text.utf8.dropFirst().allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
                default: false
                }
            }
    }

    /// The name of an input or an output, which is also used for JACK ports.
    static let signalName = TextForm(
        demand: "must be 1 to 64 characters, without any of : . = @ / and control characters",
        pattern: "^[^:.=@/\\u0000-\\u001f\\u007f]{1,64}$"
    ) { text in
        let scalars = text.unicodeScalars
        return (1...64).contains(scalars.count)
            && !scalars.contains {
                ":.=@/".unicodeScalars.contains($0) || $0.value < 32 || $0.value == 127
            }
    }
}

extension KeyDescription {
    /// The JSON Schema of the key's value.
    var schema: JSONValue {
        guard case .object(var members) = shape.schema else { return shape.schema }
        let text = shape.unit == .none ? summary : "\(summary) (\(shape.unit.rawValue))"
        members.insert(.init("description", .string(text)), at: 0)
        if let defaultValue { members.append(.init("default", defaultValue)) }
        return .object(members)
    }
}

extension Shape {
    /// The unit of the value, or of the first alternative that has one.
    fileprivate var unit: Unit {
        switch self {
        case .whole(_, let unit), .number(_, let unit): unit
        case .either(let shapes): shapes.map(\.unit).first { $0 != .none } ?? .none
        default: .none
        }
    }

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
        case .open(let table, let others): Self.open(table, others)
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
        if table.subject == PipelineKeys.message.subject {
            return ["$ref": "#/definitions/message"]
        }
        var members = PipelineSchema.members(of: table)
        if table.subject == PipelineKeys.follow.subject {
            let starts = PipelineKeys.followStarts.map { JSONValue.string($0) }
            members.append(.init("oneOf", .array(starts.map { ["required": [$0]] })))
        }
        return .object(members)
    }

    private static func open(_ table: KeyTable, _ others: Shape) -> JSONValue {
        var members = PipelineSchema.members(of: table)
        members.removeAll { $0.key == "additionalProperties" }
        return .object(members + [.init("additionalProperties", others.schema)])
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
