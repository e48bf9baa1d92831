internal import Processing

/// A value to write into the text of a pipeline.
public struct ValueEdit: Sendable, Equatable {
    /// The entry of the file that contains the value.
    public var entry: Entry
    /// The value in the form of files; a choice is a name.
    public var value: JSONValue
    /// The value as a number, which a file may have instead of the name of a choice.
    public var number: Float

    /// An entry of a pipeline's file.
    public enum Entry: Sendable, Hashable {
        /// A key of a node's `parameters`.
        case parameter(String, node: String)
        /// The key `bypass` or `mix` of a node.
        case nodeKey(String, node: String)
        /// An address in a scene.
        case address(String, scene: String)
    }

    /// Creates an edit from its parts.
    public init(_ entry: Entry, value: JSONValue, number: Float) {
        self.entry = entry
        self.value = value
        self.number = number
    }

    /// Creates the edit that writes a value of a pipeline into its file.
    ///
    /// - Parameters:
    ///   - change: The address, and its new value.
    ///   - pipeline: The pipeline in the file.
    ///   - scene: The name of the scene that the value belongs to; `nil` for the node's own value.
    public init(_ change: Pipeline.Change, of pipeline: Pipeline, inScene scene: String? = nil) {
        let address = change.address
        let node = pipeline.nodes[address.node]
        let parameter = pipeline.parameter(at: address)
        let entry: Entry =
            if let scene {
                .address(pipeline.text(of: address), scene: scene)
            } else if case .parameter = address.target {
                .parameter(parameter.name, node: node.id)
            } else {
                .nodeKey(parameter.name, node: node.id)
            }
        self.init(entry, value: parameter.json(of: change.value), number: change.value)
    }

    /// Returns the value to write instead of an old one; `nil` if the old one is the same value.
    func value(insteadOf old: JSONElement) -> JSONValue? {
        switch (old.content, value) {
        case (.number(let written), _) where Float(written) == number: nil
        // The file gives a choice by its number.
        case (.number, .string): .number(number.shortestDouble)
        case (.bool(let written), .bool(let isOn)) where written == isOn: nil
        case (.string(let written), .string(let name)) where written == name: nil
        default: value
        }
    }
}

extension ParameterDescription {
    /// Returns a value in the form of files.
    fileprivate func json(of value: Float) -> JSONValue {
        switch kind {
        case .toggle: .bool(value >= 0.5)
        case .choice(let choices):
            choices.first { $0.value == value }.map { .string($0.name) }
                ?? .number(value.shortestDouble)
        case .integer, .continuous: .number(value.shortestDouble)
        }
    }
}

extension Float {
    /// The double with the fewest digits that identify this number.
    fileprivate var shortestDouble: Double { Double(description) ?? Double(self) }
}

extension PipelineText {
    /// Returns the text with values changed or added; all other bytes remain.
    ///
    /// A value that the text contains already is not written again, so `-6.0` remains `-6.0`.
    ///
    /// - Throws: `EditError` if the text has no such node, or a part of it is not an object.
    public func setting(_ edits: [ValueEdit]) throws(EditError) -> PipelineText {
        var text = self
        for edit in edits { text = try text.setting(edit) }
        return text
    }

    private func setting(_ edit: ValueEdit) throws(EditError) -> PipelineText {
        let style = TextStyle(of: document)
        switch edit.entry {
        case .parameter(let name, let node):
            return try setting(name, edit, inMember: "parameters", of: try self.node(node), style)
        case .nodeKey(let name, let node):
            return try setting(name, edit, in: try self.node(node), style)
        case .address(let address, let scene):
            guard let scenes = document.root["scenes"] else {
                let member = style.text(of: .init(scene, .object([.init(address, edit.value)])))
                return try adding(
                    style.text(of: "scenes", withFirst: member), to: document.root, style)
            }
            try Self.checkObject(scenes, "scenes")
            return try setting(address, edit, inMember: scene, of: scenes, style)
        }
    }

    private func node(_ id: String) throws(EditError) -> JSONElement {
        // A setlist has its nodes in other keys.
        let nodes = ["nodes", "before", "after"].flatMap { document.root[$0]?.elements ?? [] }
        guard let node = nodes.first(where: { $0["id"]?.string == id }) else {
            throw EditError("the file has no node \(Quoted(id)) any more")
        }
        return node
    }

    /// Sets a key of an object that is itself the value of a key, and may not exist yet.
    private func setting(
        _ key: String, _ edit: ValueEdit, inMember member: String, of parent: JSONElement,
        _ style: TextStyle
    ) throws(EditError) -> PipelineText {
        guard let object = parent[member] else {
            let new = JSONValue.object([.init(key, edit.value)])
            return try adding(style.text(of: .init(member, new)), to: parent, style)
        }
        try Self.checkObject(object, member)
        return try setting(key, edit, in: object, style)
    }

    private func setting(
        _ key: String, _ edit: ValueEdit, in object: JSONElement, _ style: TextStyle
    ) throws(EditError) -> PipelineText {
        guard let old = object[key] else {
            return try adding(style.text(of: .init(key, edit.value)), to: object, style)
        }
        guard let value = edit.value(insteadOf: old) else { return self }
        return try replacing(old.start..<old.end, with: style.text(of: value))
    }

    private static func checkObject(_ element: JSONElement, _ key: String) throws(EditError) {
        guard case .object = element.content else {
            throw EditError("\(Quoted(key)) is not an object")
        }
    }
}

extension TextStyle {
    /// Returns a key whose value is an object with one member, on lines if the text has several.
    fileprivate func text(of key: String, withFirst member: String) -> String {
        let start = JSONValue.string(key).text + colon + "{"
        guard let indentation else { return start + padding + member + padding + "}" }
        let line = newline + indentation
        return start + line + indentation + member + line + "}"
    }
}
