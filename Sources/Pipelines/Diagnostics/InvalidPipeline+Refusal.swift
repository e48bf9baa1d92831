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
            file: file, line: 1, column: 1, pointer: "/nodes/\(place)", code: .plugin,
            message: "the plugin of \(Quoted(node)) does not load: \(reason)")
        self.init(diagnostics: [diagnostic], lacksOnlyPlugins: true)
    }
}
