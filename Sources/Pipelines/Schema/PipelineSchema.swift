public import Processing

/// The JSON Schema (draft-07) of pipeline files or of setlists, derived from the same tables as the check.
public struct PipelineSchema: Sendable {
    /// The schema as a value.
    public let value: JSONValue
    /// The schema as the text of a file, with a line feed at its end.
    public var text: String { value.indentedText + "\n" }

    /// The kinds of files.
    public enum Kind: Sendable {
        case pipeline, setlist
    }

    /// Creates the schema for a catalogue's effects; for plugins, it has only the common rules.
    ///
    /// - Parameters:
    ///   - catalogue: The effects.
    ///   - kind: The kind of files that the schema describes.
    public init(catalogue: Catalogue, kind: Kind = .pipeline) {
        let descriptions = catalogue.effects.map(\.description)
        var members: [JSONValue.Member] = [
            .init("$schema", "http://json-schema.org/draft-07/schema#"),
            .init(
                "title", kind == .pipeline ? "A Stompline pipeline" : "A setlist for Stompline"),
        ]
        members += Self.members(
            of: kind == .pipeline ? PipelineKeys.pipeline : PipelineKeys.setlist)
        members.append(.init("definitions", Self.definitions(descriptions, kind)))
        value = .object(members)
    }

    // MARK: Objects

    /// Returns the schema of an object with the keys of `table`; `replacing` overrides some keys.
    static func members(
        of table: KeyTable, replacing: [String: JSONValue] = [:]
    ) -> [JSONValue.Member] {
        let required = table.keys.filter(\.isRequired).map { JSONValue.string($0.name) }
        let properties = table.keys.map { key in
            JSONValue.Member(key.name, replacing[key.name] ?? key.schema)
        }
        var members: [JSONValue.Member] = [.init("type", "object")]
        if !required.isEmpty { members.append(.init("required", .array(required))) }
        members.append(.init("properties", .object(properties)))
        members.append(.init("additionalProperties", false))
        return members
    }

    // MARK: Nodes

    private static func definitions(
        _ descriptions: [NodeDescription], _ kind: Kind
    ) -> JSONValue {
        let plugin =
            members(
                of: PipelineKeys.pluginNode,
                // The plugin itself defines its other settings: texts and paths of files.
                replacing: [
                    "settings": settings([PipelineKeys.preset], others: ["type": "string"]),
                    PipelineKeys.whenLateName: whenLate(
                        settings([PipelineKeys.preset], others: ["type": "string"])),
                ])
            + [.init("not", ["required": .array(PipelineKeys.exclusive.map { .string($0) })])]
        var members = [
            JSONValue.Member("node", node(descriptions.map(\.name))),
            JSONValue.Member("binding", binding(kind)),
            JSONValue.Member("message", message),
            JSONValue.Member(definition(PipelineKeys.pluginType), .object(plugin)),
        ]
        members += descriptions.map { description in
            JSONValue.Member(definition(description.name), effect(description))
        }
        return .object(members)
    }

    private static func definition(_ type: String) -> String { "node-" + type }

    /// Returns the schema of a node, which selects another definition by the node's type.
    private static func node(_ names: [String]) -> JSONValue {
        let types = names + [PipelineKeys.pluginType]
        let cases = types.map { type -> JSONValue in
            [
                "if": ["properties": ["type": ["const": .string(type)]], "required": ["type"]],
                "then": ["$ref": .string("#/definitions/" + definition(type))],
            ]
        }
        return [
            "type": "object", "required": ["id", "type"],
            "properties": ["type": ["enum": .array(types.map { .string($0) })]],
            "allOf": .array(cases),
        ]
    }

    private static func effect(_ description: NodeDescription) -> JSONValue {
        var members = members(
            of: PipelineKeys.effectNode(description),
            replacing: [
                "type": ["const": .string(description.name)],
                "parameters": parameters(description),
                "settings": settings(
                    description.settings, oneOf: description.requiredSettings),
                PipelineKeys.whenLateName: whenLate(settings(description.settings)),
            ])
        if !description.requiredSettings.isEmpty {
            members.removeAll { $0.key == "required" }
            members.append(.init("required", ["id", "type", "settings"]))
        }
        members.insert(.init("description", .string(description.summary)), at: 0)
        return .object(members)
    }

    /// Returns the schema of a node's cheaper variant, with the schema of its settings.
    private static func whenLate(_ settings: JSONValue) -> JSONValue {
        .object(
            members(of: PipelineKeys.whenLate, replacing: ["settings": settings]) + [
                .init("oneOf", [["required": ["settings"]], ["required": ["bypass"]]])
            ])
    }

    private static func parameters(_ description: NodeDescription) -> JSONValue {
        let own = description.parameters.map { JSONValue.Member($0.name, $0.schema) }
        // The name of a strip is the name of its signal.
        let strips = description.stripParameters.map {
            JSONValue.Member("^.+\\." + $0.name + "$", $0.schema)
        }
        return .object(
            [.init("type", "object"), .init("properties", .object(own))]
                + (strips.isEmpty ? [] : [.init("patternProperties", .object(strips))])
                + [.init("additionalProperties", false)])
    }

    private static func settings(
        _ settings: [SettingDescription], oneOf required: [String] = [],
        others: JSONValue = .bool(false)
    ) -> JSONValue {
        let members: [JSONValue.Member] = [
            .init("type", "object"),
            .init("properties", .object(settings.map { .init($0.name, $0.schema) })),
            .init("additionalProperties", others),
        ]
        let choice = oneOf(required)
        guard !required.isEmpty, case .object(let alternatives) = choice else {
            return .object(members)
        }
        return .object(members + alternatives)
    }

    // MARK: Bindings

    /// The schema of a binding: one trigger, one target, and keys that require `to`.
    private static func binding(_ kind: Kind) -> JSONValue {
        let isSetlist = kind == .setlist
        let targets = isSetlist ? PipelineKeys.setlistTargets : PipelineKeys.targets
        let table = isSetlist ? PipelineKeys.setlistBinding : PipelineKeys.binding
        return .object(
            members(of: table) + [
                .init("allOf", [oneOf(PipelineKeys.triggers), oneOf(targets)]),
                .init(
                    "dependencies",
                    .object(
                        PipelineKeys.movements.map { .init($0, ["to"]) }
                            + PipelineKeys.pressTimes.map { .init($0.0, ["press"]) }
                            + [.init("bank", ["program"])])),
            ])
    }

    /// The schema of an outgoing message: one kind, and keys that require another key.
    private static var message: JSONValue {
        .object(
            members(of: PipelineKeys.message) + [
                .init("allOf", [oneOf(PipelineKeys.messageKinds)]),
                .init(
                    "dependencies",
                    .object(
                        PipelineKeys.messageRequirements.sorted { $0.key < $1.key }.map {
                            .init($0.key, [.string($0.value)])
                        } + [.init("cc", ["value"])])),
            ])
    }

    private static func oneOf(_ keys: [String]) -> JSONValue {
        ["oneOf": .array(keys.map { ["required": [.string($0)]] })]
    }
}
