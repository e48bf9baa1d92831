extension Diagnostic: CustomStringConvertible {
    /// `FILE:LINE:COLUMN: error: MESSAGE [CODE]`, or `warning` for `error`, and on a second line the JSON pointer and what was probably meant.
    ///
    /// The second line reads `    at POINTER (did you mean SUGGESTION?)`; it is left out where there is neither.
    public var description: String {
        let place = "\(file):\(line):\(column)"
        let first = "\(place): \(severity.rawValue): \(message) [\(code.rawValue)]"
        let path = pointer.isEmpty ? "" : "at " + Quoted.shortened(pointer, to: 400)
        let hint = suggestion.map { "(did you mean \($0)?)" } ?? ""
        guard !(path.isEmpty && hint.isEmpty) else { return first }
        return first + "\n    " + path + (path.isEmpty || hint.isEmpty ? "" : " ") + hint
    }

    /// `{"file", "line", "column", "pointer", "code", "message", "suggestion"}`; the suggestion is null where there is none.
    public var json: JSONValue {
        [
            "file": .string(file), "line": .integer(line), "column": .integer(column),
            "pointer": .string(pointer), "code": .string(code.rawValue),
            "message": .string(message), "suggestion": .optional(suggestion),
        ]
    }
}
