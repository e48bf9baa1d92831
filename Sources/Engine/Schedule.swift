internal import CRealtime
public import Pipelines
public import Processing

/// A plan with its prepared processors and buffers: what the engine plays.
///
/// It is made and freed off the audio thread.
public final class Schedule: @unchecked Sendable {
    // SAFETY: after it is made, only the audio thread changes what its pointers lead to; the
    // control side reads the constant properties, and frees it only once the engine has let go of
    // it.

    /// What is done, and how late.
    public let plan: Plan
    /// Channels of the pipeline's audio inputs, all together.
    public let inputChannels: Int
    /// Channels of each audio output, and whether it has a limiter.
    public let outputGroups: [OutputGroup]
    /// How many MIDI inputs and outputs the pipeline has.
    let messageInputs: Int
    let messageOutputs: Int
    let core: UnsafeMutablePointer<ScheduleCore>
    private let arena: Arena
    private let processors: [[Processor]]
    let whereabouts: UnsafeMutablePointer<Whereabouts>

    /// The channels of one output.
    public struct OutputGroup: Sendable, Equatable {
        /// How many there are.
        public var channels: Int
        /// Whether the safety limiter watches them.
        public var hasLimiter: Bool
    }

    /// Prepares a pipeline: makes its processors, plans it, and lays out its memory.
    ///
    /// The scene that is on at load, if there is one, holds from the first frame.
    ///
    /// - Parameters:
    ///   - pipeline: What is to be played.
    ///   - catalogue: The one that the pipeline was checked with.
    ///   - format: Sample rate, and the most frames a cycle may have.
    /// - Throws: `PreparationFault` where a plugin does not load.
    public init(
        preparing pipeline: Pipeline, catalogue: Catalogue, format: AudioFormat
    ) throws(PreparationFault) {
        let pipeline = pipeline.atLoad
        var prepared: [PreparedNode] = []
        for node in pipeline.nodes {
            prepared.append(
                try PreparedNode(node, catalogue: catalogue, format: format, tempo: pipeline.tempo))
        }
        plan = Plan(pipeline, latencies: prepared.map(\.latencyFrames), format: format)
        inputChannels = pipeline.inputs.map(\.channels).reduce(0, +)
        outputGroups = pipeline.outputs.filter { $0.kind == .audio }.map {
            OutputGroup(channels: $0.channels, hasLimiter: $0.hasLimiter)
        }
        messageInputs = pipeline.inputs.count { $0.kind == .midi }
        messageOutputs = pipeline.outputs.count { $0.kind == .midi }
        arena = Arena()
        processors = prepared.map(\.processors)
        whereabouts = .allocate(capacity: 1)
        whereabouts.initialize(to: Whereabouts())
        core = ScheduleLayout(
            plan, pipeline, prepared, inputChannels: inputChannels, whereabouts: whereabouts,
            arena: arena
        ).makeCore()
    }

    deinit {
        whereabouts.deinitialize(count: 1)
        whereabouts.deallocate()
    }

    /// The oldest incident of a plugin that was not yet read, and its node's place in the pipeline.
    public func nextIncident() -> (node: Int, incident: Incident)? {
        for (node, processors) in processors.enumerated() {
            for processor in processors {
                if let incident = processor.incidents?.next() { return (node, incident) }
            }
        }
        return nil
    }

    /// Channels of the pipeline's audio outputs, all together.
    public var outputChannels: Int { outputGroups.map(\.channels).reduce(0, +) }

    /// What the node cost in the cycle rendered last, in processor ticks; see `TickRate`.
    ///
    /// Only for a caller that renders on its own thread, as a benchmark does.
    public func lastTicks(ofNode node: Int) -> UInt64 {
        core.pointee.nodes[node].pointee.measurement.ticks
    }
}
