internal import Processing

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
