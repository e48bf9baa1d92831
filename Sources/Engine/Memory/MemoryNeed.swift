public import Pipelines
public import Processing

/// An estimate of the memory that a pipeline needs, before any of it is allocated.
///
/// Effects know their own sizes. The memory that a plugin allocates is unknown, so the estimate
/// uses its buffers and a constant.
public struct MemoryNeed: Sendable, Equatable {
    /// The counted nodes, in the pipeline's order.
    public private(set) var nodes: [Node] = []
    /// The memory shared by all nodes, for buffers and tables, in bytes.
    public private(set) var sharedBytes = 0

    /// The need of one node.
    public struct Node: Sendable, Equatable {
        /// The node's id.
        public var id: String
        /// The effect's name, or the plugin's URI.
        public var type: String
        /// The memory for the node's processors and its dry signal, in bytes.
        public var bytes: Int
    }

    /// Estimates the memory for all nodes of a pipeline.
    public init(_ pipeline: Pipeline, catalogue: Catalogue, format: AudioFormat) {
        self.init(
            of: pipeline.nodes.map { Change($0, from: nil) }, in: pipeline, catalogue: catalogue,
            format: format)
    }

    /// Estimates the memory for the nodes that the scenes of a pipeline need in addition to the
    /// pipeline's nodes.
    public init(variantsOf pipeline: Pipeline, catalogue: Catalogue, format: AudioFormat) {
        self.init(
            variants: pipeline.variantNodes, of: pipeline, catalogue: catalogue, format: format)
    }

    /// Estimates the memory for some of the nodes that the scenes of a pipeline need.
    init(
        variants: [Pipeline.Node], of pipeline: Pipeline, catalogue: Catalogue, format: AudioFormat
    ) {
        self.init(
            of: variants.map { Change($0, from: nil) }, in: pipeline, catalogue: catalogue,
            format: format)
        // They use the buffers of the pipeline.
        sharedBytes = nodes.count.multipliedClamped(by: Self.nodeBytes)
    }

    /// A node of an edited pipeline, and the node that continues as it.
    struct Change {
        fileprivate let node: Pipeline.Node
        fileprivate let former: Pipeline.Node?

        /// Creates a change of a node; without a former node, the node is new.
        init(_ node: Pipeline.Node, from former: Pipeline.Node?) {
            self.node = node
            self.former = former
        }

        /// Whether the node needs memory: it is new, or its settings differ.
        fileprivate var needsMemory: Bool {
            former.map { $0.playedSettings != node.playedSettings } ?? true
        }
    }

    /// Estimates the additional memory for the nodes of a pipeline, and for all buffers.
    ///
    /// - Parameters:
    ///   - changes: All nodes of the pipeline.
    ///   - pipeline: The whole pipeline.
    ///   - catalogue: The catalogue that the pipeline was checked with.
    ///   - format: The sample rate, and the maximum number of frames per cycle.
    init(
        of changes: [Change], in pipeline: Pipeline, catalogue: Catalogue, format: AudioFormat
    ) {
        nodes = changes.filter(\.needsMemory).map { change in
            let node = change.node
            let requests = node.requests(format: format, tempo: pipeline.tempo)
            let processors = requests.map { request in
                if let former = change.former {
                    former.type.settingsRule(catalogue)?.memoryBytes(former.playedSettings, request)
                        ?? 0
                } else {
                    node.memoryBytes(request, catalogue)
                }
            }
            let dryBytes = change.former == nil ? node.drySignalBytes(format) : 0
            let bytes = processors.reduce(dryBytes, { $0.addingClamped($1) })
            return Node(id: node.id, type: node.type.name, bytes: bytes)
        }
        let bufferBytes = (format.maximumBlockFrames + ScheduleLayout.guardFrames)
            .multipliedClamped(by: MemoryLayout<Float>.stride)
        let channels =
            pipeline.nodes.map(\.outputChannels).reduce(0, +)
            + pipeline.inputs.map(\.channels).reduce(0, +) + Self.helperBuffers
        let tables = pipeline.nodes.count.multipliedClamped(by: Self.nodeBytes)
        sharedBytes = channels.multipliedClamped(by: bufferBytes).addingClamped(tables)
    }

    /// The buffers for silence, gains and scratch space that every schedule has.
    private static let helperBuffers = 8
    /// The memory of the engine per node, for its step, wiring and values, in bytes.
    private static let nodeBytes = 4096

    /// Returns the memory of this need and another one together.
    public func adding(_ other: MemoryNeed) -> MemoryNeed {
        var sum = self
        sum.nodes += other.nodes
        sum.sharedBytes = sum.sharedBytes.addingClamped(other.sharedBytes)
        return sum
    }

    /// The total memory, in bytes.
    public var totalBytes: Int {
        nodes.map(\.bytes).reduce(sharedBytes, { $0.addingClamped($1) })
    }

    /// Returns the nodes that need the most memory, the largest first.
    public func costliest(_ count: Int) -> [Node] {
        Array(nodes.sorted { $0.bytes > $1.bytes }.prefix(count))
    }
}

extension MemoryNeed {
    /// Throws if the pipeline does not fit into the memory budget.
    ///
    /// Not for the audio thread.
    ///
    /// - Parameters:
    ///   - budget: The available memory.
    ///   - isEdit: Whether the estimate covers only the nodes that an edit adds.
    /// - Throws: `PreparationError` with the figures and the nodes that need the most.
    public func check(against budget: MemoryBudget, isEdit: Bool = false) throws(PreparationError) {
        try check(
            against: budget, subject: isEdit ? "the edit needs" : "the pipeline needs",
            suffix: isEdit ? " next to the current pipeline" : "")
    }

    /// Throws if the memory budget is too small.
    ///
    /// - Parameters:
    ///   - budget: The available memory.
    ///   - subject: What needs the memory, with its verb.
    ///   - suffix: A part of the message with a space before it; empty without one.
    /// - Throws: `PreparationError` with the figures and the nodes that need the most.
    func check(
        against budget: MemoryBudget, subject: String, suffix: String = ""
    ) throws(PreparationError) {
        guard let first = costliest(1).first, let room = budget.room,
            totalBytes > room.freeBytes
        else { return }
        let names = costliest(3).map { "\($0.id) (\(ByteCount($0.bytes)))" }
            .joined(separator: ", ")
        throw PreparationError(
            node: first.id, plugin: first.type,
            cause: PluginError(
                "\(subject) \(ByteCount(totalBytes)) of memory, but only \(ByteCount(room.freeBytes)) is free\(suffix) within \(room.limit); the largest nodes are \(names): shorten their delays, buffers or pre-rolls, or use fewer nodes"
            ), lacksMemory: true)
    }
}

extension Pipeline.Node {
    /// The assumed allocation of a plugin beyond its buffers, in bytes.
    private static var pluginBytes: Int { 4 << 20 }
    /// The assumed additional memory of a plugin's own process, in bytes.
    private static var processBytes: Int { 12 << 20 }

    fileprivate func memoryBytes(_ request: ProcessorRequest, _ catalogue: Catalogue) -> Int {
        if isStandIn { return 0 }
        guard case .effect(let name) = type else {
            let ports = request.inputChannels + request.outputChannels + 2
            let buffers = ports.multipliedClamped(by: request.format.maximumBlockFrames)
                .multipliedClamped(by: MemoryLayout<Float>.stride)
            let process = request.isolation == .none ? 0 : Self.processBytes
            return buffers.addingClamped(Self.pluginBytes + process)
        }
        return catalogue.effect(name)?.memoryBytes(request) ?? 0
    }

    /// Returns the memory for the node's dry signal; the estimates of effects with latency already
    /// include the delay of their dry signal.
    fileprivate func drySignalBytes(_ format: AudioFormat) -> Int {
        let isPlugin = if case .plugin = type { true } else { false }
        // One block of the dry signal, and its delay line. For a plugin the delay line has room for
        // any latency that the plugin may report and its length is a power of two. The last output
        // of plugins and of nodes that can be halted is kept.
        let lineFrames = isPlugin ? 2 * WetDry.maximumLatencyFrames : 0
        let keptFrames =
            isPlugin || canBeHalted ? OutputSubstitute.frames(sampleRate: format.sampleRate) : 0
        let frames = (2 * format.maximumBlockFrames).addingClamped(lineFrames + keptFrames)
        return frames.multipliedClamped(by: MemoryLayout<Float>.stride)
            .multipliedClamped(by: outputChannels)
    }
}
