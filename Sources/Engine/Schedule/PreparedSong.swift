public import Pipelines
public import Processing

/// The prepared nodes of a song whose outer level already runs.
///
/// `Schedule` takes them over when the song begins. Until then they do not run.
public final class PreparedSong: @unchecked Sendable {
    // SAFETY: after initialization, nothing uses the nodes until a schedule takes them over.

    /// The pipeline of the song, with the outer level.
    public let pipeline: Pipeline
    /// The sample rate, and the maximum number of frames per cycle.
    public let format: AudioFormat
    /// The nodes that are prepared for scenes.
    public let variants = NodeVariants()
    /// The nodes that could not be prepared and have stand-ins; set before the song is handed to
    /// another thread.
    package var problems: [Problem] = []
    private let instances: [NodeInstance]

    /// Prepares the nodes of a song, without the nodes of the outer level; not on the audio thread.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline of the song, with the outer level.
    ///   - catalogue: The catalogue that the pipeline was checked with.
    ///   - format: The sample rate, and the maximum number of frames per cycle.
    /// - Throws: `PreparationError` if a plugin does not load, or if there is too little memory.
    public init(
        preparing pipeline: Pipeline, catalogue: Catalogue, format: AudioFormat
    ) throws(PreparationError) {
        let pipeline = pipeline.atLoad
        self.pipeline = pipeline
        self.format = format
        let own = pipeline.nodes.prefix(pipeline.songNodeCount)
        let changes = pipeline.nodes.enumerated().map { index, node in
            MemoryNeed.Change(node, from: pipeline.isOuter(node: index) ? node : nil)
        }
        try MemoryNeed(of: changes, in: pipeline, catalogue: catalogue, format: format)
            .check(against: catalogue.memory)
        var instances: [NodeInstance] = []
        for node in own {
            let prepared = try PreparedNode(
                node, catalogue: catalogue, format: format, tempo: pipeline.tempo)
            instances.append(NodeInstance(prepared, node, format: format))
        }
        self.instances = instances
    }

    /// Returns a node of the song; `nil` for a node of the outer level.
    func instance(ofNode index: Int) -> NodeInstance? {
        instances.indices.contains(index) ? instances[index] : nil
    }
}

extension Pipeline {
    /// Returns the pipeline with the outer nodes of another song's pipeline, which continue; `nil`
    /// if the outer levels differ.
    ///
    /// The nodes have the values, settings and stand-ins of the other pipeline, and their own
    /// sources.
    public func continuingOuterNodes(of other: Pipeline) -> Pipeline? {
        guard hasOuterSound, other.hasOuterSound else { return nil }
        let former = other.nodes.dropFirst(other.songNodeCount)
        guard nodes.count - songNodeCount == former.count else { return nil }
        var result = self
        for (index, old) in zip(nodes.indices.dropFirst(songNodeCount), former) {
            let node = nodes[index]
            guard node.id == old.id, node.type == old.type, node.strips == old.strips,
                node.instances.map(\.count) == old.instances.map(\.count)
            else { return nil }
            var continued = old
            continued.instances = node.instances
            continued.songInputs = node.songInputs
            continued.unalignedInputs = node.unalignedInputs
            continued.offInputs = node.offInputs
            continued.isAlwaysBypassed = node.isAlwaysBypassed
            continued.events = old.isStandIn ? nil : node.events
            result.nodes[index] = continued
        }
        return result
    }
}
