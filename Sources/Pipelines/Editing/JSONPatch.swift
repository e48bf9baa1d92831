/// A list of operations that change a JSON text (JSON Patch, RFC 6902, and the operation `rename`).
public struct JSONPatch: Sendable, Equatable {
    /// The operations, in order.
    public let operations: [Operation]

    /// The largest number of operations.
    public static let mostOperations = 256
    /// The largest text that is changed, and the largest result, in bytes: 1 MiB.
    public static let mostTextBytes = 1 << 20

    /// One operation.
    public struct Operation: Sendable, Equatable {
        /// The change.
        public let kind: Kind
        /// The place of the change.
        public let path: JSONPointer

        /// Creates an operation from its parts.
        public init(_ kind: Kind, at path: JSONPointer) {
            self.kind = kind
            self.path = path
        }

        /// The kinds of operations.
        public enum Kind: Sendable, Equatable {
            /// Inserts an element before an index of an array (`-` is the end), or sets a key.
            case add(JSONFragment)
            case remove
            case replace(JSONFragment)
            case move(from: JSONPointer)
            case copy(from: JSONPointer)
            /// Fails if the place has another value.
            case test(JSONFragment)
            /// Gives a member of an object another key, at the same place. RFC 6902 has no such
            /// operation: its `move` puts the member at the end.
            case rename(to: String)
        }

        /// The name of the operation in RFC 6902.
        var name: String {
            switch kind {
            case .add: "add"
            case .remove: "remove"
            case .replace: "replace"
            case .move: "move"
            case .copy: "copy"
            case .test: "test"
            case .rename: "rename"
            }
        }
    }

    /// Creates a patch from operations.
    public init(_ operations: [Operation]) { self.operations = operations }

    /// The text of the patch.
    public var text: String { "[" + operations.map(\.text).joined(separator: ", ") + "]" }

    /// Parses the text of a patch, which is an array of objects.
    ///
    /// - Throws: `PatchError` if the text is not a patch, or has too many operations.
    public init(parsing bytes: [UInt8]) throws(PatchError) {
        let errors = ErrorList()
        let document = Document(parsing: bytes, errors: errors)
        if let error = errors.diagnostics(of: document, file: "").first {
            throw PatchError("line \(error.line), column \(error.column): \(error.message)")
        }
        try self.init(document.root, of: bytes)
    }

    /// Reads a patch that is a part of a valid text.
    ///
    /// - Throws: `PatchError` if the value is not a patch, or has too many operations.
    package init(_ root: JSONElement, of text: [UInt8]) throws(PatchError) {
        guard case .array(let elements) = root.content else {
            throw PatchError("a patch is an array of operations")
        }
        guard elements.count <= Self.mostOperations else {
            throw PatchError(
                "the patch has \(elements.count) operations; at most \(Self.mostOperations) are allowed"
            )
        }
        var operations: [Operation] = []
        for (index, element) in elements.enumerated() {
            do throws(EditError) {
                operations.append(try Operation(element, of: text))
            } catch {
                let path = element["path"]?.string ?? ""
                throw PatchError(
                    "operation \(index): \(error.message)", operation: index, path: path)
            }
        }
        self.operations = operations
    }
}

extension JSONPatch.Operation {
    /// Reads an operation; members that it does not have are ignored.
    fileprivate init(_ element: JSONElement, of text: [UInt8]) throws(EditError) {
        guard case .object = element.content else {
            throw EditError("it must be an object with \"op\" and \"path\"")
        }
        path = try Self.pointer("path", of: element)
        switch element["op"]?.string {
        case "add": kind = .add(try Self.value(of: element, text))
        case "remove": kind = .remove
        case "replace": kind = .replace(try Self.value(of: element, text))
        case "move": kind = .move(from: try Self.pointer("from", of: element))
        case "copy": kind = .copy(from: try Self.pointer("from", of: element))
        case "test": kind = .test(try Self.value(of: element, text))
        case "rename":
            guard let key = element["to"]?.string else {
                throw EditError("\"to\" must be the new key")
            }
            kind = .rename(to: key)
        case let other:
            let found = other.map { "; it is \(Quoted($0))" } ?? ""
            throw EditError(
                "\"op\" must be add, remove, replace, move, copy, test or rename" + found)
        }
    }

    /// The text of the operation.
    fileprivate var text: String {
        var members = ["op": name, "path": path.text].sorted { $0.key < $1.key }
            .map { "\"\($0.key)\": " + JSONValue.string($0.value).text }
        switch kind {
        case .remove: break
        case .add(let value), .replace(let value), .test(let value):
            members.append("\"value\": " + String(decoding: value.bytes, as: UTF8.self))
        case .move(let from), .copy(let from):
            members.append("\"from\": " + JSONValue.string(from.text).text)
        case .rename(let key): members.append("\"to\": " + JSONValue.string(key).text)
        }
        return "{" + members.joined(separator: ", ") + "}"
    }

    private static func pointer(
        _ key: String, of element: JSONElement
    ) throws(EditError) -> JSONPointer {
        guard let text = element[key]?.string else {
            throw EditError("\"\(key)\" must be a JSON pointer such as \"/nodes/0\"")
        }
        return try JSONPointer(text)
    }

    private static func value(
        of element: JSONElement, _ text: [UInt8]
    ) throws(EditError) -> JSONFragment {
        guard let value = element["value"] else { throw EditError("\"value\" is missing") }
        return JSONFragment(value, of: text)
    }
}

/// The reason why a patch cannot be applied.
public struct PatchError: Error, Sendable, Equatable {
    /// The index of the operation, from 0; `nil` if the patch as a whole is wrong.
    public var operation: Int?
    /// The path of the operation as it was written.
    public var path: String
    /// A sentence without a full stop, which names the operation and its path.
    public var message: String

    /// Creates an error from its parts.
    init(_ message: String, operation: Int? = nil, path: String = "") {
        self.operation = operation
        self.path = path
        self.message = message
    }
}
