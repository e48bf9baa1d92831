internal import Processing

/// A finding of the check of a file: its position, its kind, and a suggestion.
public struct Diagnostic: Sendable, Equatable, Error {
    /// The path of the file, as the caller wrote it.
    public var file: String
    /// The line, from 1.
    public var line: Int
    /// The column, from 1, in Unicode scalars.
    public var column: Int
    /// The JSON pointer (RFC 6901); empty for the whole document.
    public var pointer: String
    /// The kind of the finding.
    public var code: Code
    /// A sentence without a full stop, with the wrong value and the allowed values.
    public var message: String
    /// The value or name that the user probably meant.
    public var suggestion: String?

    /// Whether the finding prevents playback.
    public var severity = Severity.error

    /// Creates a finding from its properties.
    public init(
        file: String, line: Int, column: Int, pointer: String, code: Code, message: String,
        suggestion: String? = nil, severity: Severity = .error
    ) {
        self.file = file
        self.line = line
        self.column = column
        self.pointer = pointer
        self.code = code
        self.message = message
        self.suggestion = suggestion
        self.severity = severity
    }

    /// The severity of a finding.
    public enum Severity: String, Sendable { case error, warning }

    /// The kind of a finding; the names are stable.
    public enum Code: String, Sendable, CaseIterable {
        case syntax, limit
        case duplicateKey = "duplicate-key"
        case unknownKey = "unknown-key"
        case missingKey = "missing-key"
        case type, range
        case duplicateID = "duplicate-id"
        case unknownType = "unknown-type"
        case reference, cycle, channels, plugin, file, binding

        /// The error for the reference: a phrase without a full stop.
        package var meaning: String {
            switch self {
            case .syntax: "the file is not JSON"
            case .limit:
                "the file is larger than allowed, or the pipeline needs more memory than is free"
            case .duplicateKey: "a key occurs twice"
            case .unknownKey: "a key is unknown"
            case .missingKey: "a key is missing"
            case .type: "a value of another JSON type, or a number that must be whole and is not"
            case .range:
                """
                the right type, but not an allowed value: a number, a name of a list, a form of \
                text
                """
            case .duplicateID: "a name that is in use, or a strip that a mixer already has"
            case .unknownType: "there is no such effect"
            case .reference:
                """
                a name that refers to nothing: a signal, port, address, scene, preset or MIDI \
                input; or `from` together with `ports`, or `after` with `at`
                """
            case .cycle:
                """
                a loop of nodes, or a loop of scenes that takes no time; the message names all of \
                them
                """
            case .channels: "channel counts that do not fit"
            case .plugin: "a plugin that is not installed, or that the host refuses"
            case .file: "a file that cannot be read or written, or that is not permitted"
            case .binding:
                """
                a binding without exactly one trigger and one target, a message without exactly \
                one kind, or keys that cannot be combined
                """
            }
        }
    }
}

extension Diagnostic: CustomStringConvertible {
    /// The diagnostic as text: `FILE:LINE:COLUMN: error: MESSAGE [CODE]`, or `warning` for `error`.
    ///
    /// A second line contains the JSON pointer and the suggestion, if any:
    /// `    at POINTER (did you mean SUGGESTION?)`.
    public var description: String {
        let position = "\(file.printable):\(line):\(column)"
        let first = "\(position): \(severity.rawValue): \(message.printable) [\(code.rawValue)]"
        let path = pointer.isEmpty ? "" : "at " + Quoted.shortened(pointer, to: 400)
        let hint = suggestion.map { "(did you mean \($0.printable)?)" } ?? ""
        guard !(path.isEmpty && hint.isEmpty) else { return first }
        return first + "\n    " + path + (path.isEmpty || hint.isEmpty ? "" : " ") + hint
    }

    /// The diagnostic as a JSON object; its `suggestion` can be `null`.
    ///
    /// The keys are `file`, `line`, `column`, `pointer`, `code`, `message` and `suggestion`.
    public var json: JSONValue {
        [
            "file": .string(file), "line": .integer(line), "column": .integer(column),
            "pointer": .string(pointer), "code": .string(code.rawValue),
            "message": .string(message), "suggestion": .optional(suggestion),
        ]
    }
}
