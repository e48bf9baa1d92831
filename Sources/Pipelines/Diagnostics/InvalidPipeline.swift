/// The errors of a file that is not a valid pipeline or setlist.
public struct InvalidPipeline: Error, Sendable, Equatable {
    /// The findings in the order of the file; never empty.
    public var diagnostics: [Diagnostic]
    /// Whether the file could not be read at all.
    public var isUnreadable: Bool
    /// Whether all errors are caused by plugins that are not installed.
    public var lacksOnlyPlugins: Bool

    /// Creates the error from its findings.
    public init(
        diagnostics: [Diagnostic], isUnreadable: Bool = false, lacksOnlyPlugins: Bool = false
    ) {
        self.diagnostics = diagnostics
        self.isUnreadable = isUnreadable
        self.lacksOnlyPlugins = lacksOnlyPlugins
    }
}

extension InvalidPipeline {
    /// Describes a valid pipeline with a plugin that cannot be loaded.
    ///
    /// - Parameters:
    ///   - node: The id of the node.
    ///   - pipeline: The pipeline that contains the node.
    ///   - file: The path of the pipeline file.
    ///   - reason: The message of the plugin or its loader, without a full stop.
    public init(
        pluginOf node: String, in pipeline: Pipeline, file: String, refuses reason: String
    ) {
        let index = pipeline.nodes.firstIndex { $0.id == node } ?? 0
        let diagnostic = Diagnostic(
            ofPluginAt: index, in: pipeline, inFile: file,
            "the plugin of \(Quoted(node)) cannot be loaded: \(reason)")
        self.init(diagnostics: [diagnostic], lacksOnlyPlugins: true)
    }
}

extension InvalidPipeline {
    /// Describes a valid pipeline that needs more memory than is available.
    ///
    /// - Parameters:
    ///   - node: The id of the node that needs the most memory.
    ///   - pipeline: The pipeline that contains the node.
    ///   - file: The path of the pipeline file.
    ///   - message: The needed and the available memory, without a full stop.
    public init(
        memoryOf node: String, in pipeline: Pipeline, file: String, message: String
    ) {
        let index = pipeline.nodes.firstIndex { $0.id == node } ?? 0
        var diagnostic = Diagnostic(ofPluginAt: index, in: pipeline, inFile: file, message)
        diagnostic.code = .limit
        // The file is valid, and plays on a machine with more memory.
        self.init(diagnostics: [diagnostic], lacksOnlyPlugins: true)
    }
}

extension Diagnostic {
    /// Creates a finding from loading a plugin, at the current position of its URI in the file.
    ///
    /// - Parameters:
    ///   - node: The index of the node, from 0.
    ///   - pipeline: The pipeline that contains the node.
    ///   - file: The path of the pipeline file; a node of the setlist has another file.
    ///   - message: A sentence without a full stop.
    ///   - severity: The severity of the finding.
    public init(
        ofPluginAt node: Int, in pipeline: Pipeline, inFile file: String, _ message: String,
        severity: Severity = .error
    ) {
        let (file, key, node) = pipeline.place(ofNode: node, inSong: file)
        let bytes = (try? FileContents(path: file).bytes) ?? []
        let document = Document(parsing: bytes, errors: ErrorList())
        let nodes = document.root[key]?.elements ?? []
        let element = nodes.indices.contains(node) ? nodes[node]["uri"] : nil
        var position = TextPosition()
        position.advance(to: element?.start ?? 0, in: bytes)
        self.init(
            file: file, line: position.line, column: position.column,
            pointer: "/\(key)/\(node)" + (element == nil ? "" : "/uri"), code: .plugin,
            message: message, severity: severity)
    }
}
