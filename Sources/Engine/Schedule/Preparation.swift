internal import Pipelines
public import Processing

/// The reason why a valid pipeline cannot be run: for example, a plugin did not load, or a file has
/// been removed.
public struct PreparationError: Error, Sendable, Equatable {
    /// The node's id.
    public var node: String
    /// The plugin's URI, or the effect's name.
    public var plugin: String
    /// The error that the loader, the plugin or the effect reported.
    public var cause: PluginError
    /// Whether there is too little memory for the pipeline; then the node is the one that needs the
    /// most.
    public var lacksMemory: Bool

    /// Creates an error; the parameters have the meaning of the properties.
    public init(node: String, plugin: String, cause: PluginError, lacksMemory: Bool = false) {
        self.node = node
        self.plugin = plugin
        self.cause = cause
        self.lacksMemory = lacksMemory
    }

    /// The error as a sentence without its full stop; it names the node if the node itself caused
    /// the error.
    public var message: String { lacksMemory ? cause.message : "\(node): \(cause.message)" }
}

/// A node's processors, ready to run.
struct PreparedNode {
    var processors: [Processor]

    var latencyFrames: Int { processors.map(\.latencyFrames).max() ?? 0 }

    /// Creates the processors of a node, according to its type.
    init(
        _ node: Pipeline.Node, catalogue: Catalogue, format: AudioFormat, tempo: Double
    ) throws(PreparationError) {
        processors = []
        for request in node.requests(format: format, tempo: tempo) {
            processors.append(
                node.isStandIn
                    ? node.standInProcessor(request) : try node.makeProcessor(request, catalogue))
        }
    }
}

extension Pipeline.Node {
    /// Returns the requests for the node's processors, one per processor.
    func requests(format: AudioFormat, tempo: Double) -> [ProcessorRequest] {
        instances.map { taps in
            ProcessorRequest(
                format: format, inputChannels: taps.count,
                outputChannels: outputChannels / max(1, instances.count),
                stripChannels: strips.map(\.channels), parameters: values,
                settings: playedSettings, tempo: tempo, isolation: isolation, sandbox: sandbox)
        }
    }

    fileprivate func makeProcessor(
        _ request: ProcessorRequest, _ catalogue: Catalogue
    ) throws(PreparationError) -> Processor {
        do throws(PluginError) {
            switch type {
            case .effect(let name):
                guard let effect = catalogue.effect(name) else {
                    preconditionFailure("a checked pipeline names effects of its catalogue")
                }
                return try effect.makeProcessor(request)
            case .plugin(let uri):
                return try catalogue.plugins.makeProcessor(forPlugin: uri, request)
            }
        } catch {
            throw PreparationError(node: id, plugin: type.name, cause: error)
        }
    }
}

extension Pipeline.NodeType {
    /// The plugin's URI, or the effect's name.
    var name: String {
        switch self {
        case .effect(let name): name
        case .plugin(let uri): uri
        }
    }
}
