internal import Pipelines
public import Processing

/// Why a pipeline that is valid cannot be played: a plugin did not load, or a file has gone.
public struct PreparationFault: Error, Sendable, Equatable {
    /// The node's id.
    public var node: String
    /// The plugin's URI, or the effect's name.
    public var plugin: String
    /// What the loader, the plugin or the effect said.
    public var fault: PluginFault

    /// All parts, each as its property says.
    public init(node: String, plugin: String, fault: PluginFault) {
        self.node = node
        self.plugin = plugin
        self.fault = fault
    }
}

/// A node's processors, ready to run.
struct PreparedNode {
    var processors: [Processor]

    var latencyFrames: Int { processors.map(\.latencyFrames).max() ?? 0 }

    /// Makes the processors of a node, as its type says.
    init(
        _ node: Pipeline.Node, catalogue: Catalogue, format: AudioFormat, tempo: Double
    ) throws(PreparationFault) {
        processors = []
        for taps in node.instances {
            let request = ProcessorRequest(
                format: format, inputChannels: taps.count,
                outputChannels: node.outputChannels / max(1, node.instances.count),
                stripChannels: node.strips.map(\.channels), parameters: node.values,
                settings: node.settings, tempo: tempo, isolation: node.isolation)
            processors.append(try node.makeProcessor(request, catalogue))
        }
    }
}

extension Pipeline.Node {
    fileprivate func makeProcessor(
        _ request: ProcessorRequest, _ catalogue: Catalogue
    ) throws(PreparationFault) -> Processor {
        do throws(PluginFault) {
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
            throw PreparationFault(node: id, plugin: type.name, fault: error)
        }
    }
}

extension Pipeline.NodeType {
    fileprivate var name: String {
        switch self {
        case .effect(let name): name
        case .plugin(let uri): uri
        }
    }
}
