extension InvalidPipeline {
    /// A pipeline that is valid, but has a plugin that refuses to be loaded.
    ///
    /// - Parameters:
    ///   - node: The node's id.
    ///   - pipeline: The pipeline that has it.
    ///   - file: The file that it was read from.
    ///   - reason: What the plugin or its loader said, without a full stop.
    public init(
        pluginOf node: String, in pipeline: Pipeline, file: String, refuses reason: String
    ) {
        let place = pipeline.nodes.firstIndex { $0.id == node } ?? 0
        let diagnostic = Diagnostic(
            ofPluginAt: place, inFile: file,
            "the plugin of \(Quoted(node)) does not load: \(reason)")
        self.init(diagnostics: [diagnostic], lacksOnlyPlugins: true)
    }
}

extension Diagnostic {
    /// What only loading a node's plugin tells, at the place of its URI in the file as it is now.
    ///
    /// - Parameters:
    ///   - node: The node's place among the nodes, from 0.
    ///   - file: The file that the pipeline was read from.
    ///   - message: A sentence without its full stop.
    ///   - severity: How grave it is.
    public init(
        ofPluginAt node: Int, inFile file: String, _ message: String,
        severity: Severity = .error
    ) {
        let bytes = (try? FileContents(path: file).bytes) ?? []
        let document = Document(parsing: bytes, faults: FaultList())
        let nodes = document.root["nodes"]?.elements ?? []
        let element = nodes.indices.contains(node) ? nodes[node]["uri"] : nil
        var position = TextPosition()
        position.advance(to: element?.start ?? 0, in: bytes)
        self.init(
            file: file, line: position.line, column: position.column,
            pointer: "/nodes/\(node)" + (element == nil ? "" : "/uri"), code: .plugin,
            message: message, severity: severity)
    }
}
