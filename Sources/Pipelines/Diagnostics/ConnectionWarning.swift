extension Diagnostic {
    /// Creates a warning about a rule in `connect`, at the current position of the rule in the file.
    ///
    /// - Parameters:
    ///   - index: The index of the rule in `connect`, from 0.
    ///   - signal: The name of the input or output.
    ///   - isInput: Whether it is an input.
    ///   - pipeline: The pipeline that has the signal.
    ///   - file: The path of the pipeline file; a signal of the setlist has another file.
    ///   - message: A sentence without a full stop.
    ///   - suggestion: The name that the user probably meant; `nil` if no name is similar.
    public init(
        ofConnection index: Int, of signal: String, isInput: Bool, in pipeline: Pipeline,
        inFile file: String, _ message: String, suggestion: String?
    ) {
        let file = pipeline.path(ofSignal: signal, isInput: isInput) ?? file
        let bytes = (try? FileContents(path: file).bytes) ?? []
        let document = Document(parsing: bytes, errors: ErrorList())
        let key = isInput ? "inputs" : "outputs"
        let rules = document.root[key]?[signal]?["connect"]?.elements ?? []
        let element = rules.indices.contains(index) ? rules[index] : nil
        var position = TextPosition()
        position.advance(to: element?.start ?? 0, in: bytes)
        self.init(
            file: file, line: position.line, column: position.column,
            pointer: "/\(key)/\(Document.escaped(signal))/connect"
                + (element == nil ? "" : "/\(index)"),
            code: .reference, message: message, suggestion: suggestion, severity: .warning)
    }
}
