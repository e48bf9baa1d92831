public import Pipelines
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
    /// The files that the processors have opened.
    let files: [OpenedFile]

    var latencyFrames: Int { processors.map(\.latencyFrames).max() ?? 0 }

    /// Creates the processors of a node, according to its type.
    ///
    /// - Parameters:
    ///   - node: The node.
    ///   - catalogue: The catalogue that the pipeline was checked with.
    ///   - format: The sample rate, and the maximum number of frames per cycle.
    ///   - tempo: The tempo in beats per minute.
    ///   - seeds: The seed of each processor in a replay; empty for new ones.
    ///   - replacedFiles: The files to open instead of others, by their paths.
    /// - Throws: `PreparationError` if a processor cannot be created.
    init(
        _ node: Pipeline.Node, catalogue: Catalogue, format: AudioFormat, tempo: Double,
        seeds: [UInt64] = [], replacedFiles: [String: String] = [:]
    ) throws(PreparationError) {
        processors = []
        files = node.openedFiles(format)
        let requests = node.requests(
            format: format, tempo: tempo, replacedFiles: replacedFiles)
        for (index, var request) in requests.enumerated() {
            if seeds.indices.contains(index), seeds[index] > 0 { request.seed = seeds[index] }
            processors.append(
                node.isStandIn
                    ? node.standInProcessor(request) : try node.makeProcessor(request, catalogue))
        }
    }
}

extension Pipeline.Node {
    /// Returns the requests for the node's processors, one per processor.
    func requests(
        format: AudioFormat, tempo: Double, replacedFiles: [String: String] = [:]
    ) -> [ProcessorRequest] {
        let settings = settings(replacing: replacedFiles)
        return instances.map { taps in
            ProcessorRequest(
                format: format, inputChannels: taps.count,
                outputChannels: outputChannels / max(1, instances.count),
                stripChannels: strips.map(\.channels), parameters: values,
                settings: settings, tempo: tempo, isolation: isolation, sandbox: sandbox, node: id)
        }
    }

    /// Returns the settings that play, with other paths of files.
    private func settings(replacing files: [String: String]) -> [String: SettingValue] {
        guard !files.isEmpty else { return playedSettings }
        return playedSettings.mapValues { value in
            switch value {
            case .text(let path): .text(files[path] ?? path)
            case .playlist(let items):
                .playlist(
                    items.map { PlaylistItem(path: files[$0.path] ?? $0.path, gain: $0.gain) })
            default: value
            }
        }
    }

    /// The paths of the files that the settings name, and whether a node of a black box keeps each
    /// open: one file, but not a list, which can be longer than the number of files that may be open.
    private var namedFiles: [(path: String, keepsOpen: Bool)] {
        guard !isStandIn else { return [] }
        return description.settings.flatMap { setting in
            switch (setting.kind, playedSettings[setting.name]) {
            case (.path, .text(let path)?): [(path, true)]
            case (.playlist, .playlist(let items)?): items.map { ($0.path, false) }
            default: [(String, Bool)]()
            }
        }
    }

    /// The paths of the files that the settings name.
    public var filePaths: [String] { namedFiles.map(\.path) }

    /// Returns the present state of the files that a live node opens; empty for other nodes, which
    /// no black box watches.
    func openedFiles(_ format: AudioFormat) -> [OpenedFile] {
        guard format.isLive else { return [] }
        return namedFiles.map { OpenedFile(path: $0.path, keepsOpen: $0.keepsOpen) }
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
