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

    /// What is played.
    public let pipeline: Pipeline
    /// What is done, and how late.
    public let plan: Plan
    /// The signals that its inputs and outputs are found among.
    public let outside: Outside
    /// Channels of the pipeline's audio inputs, all together.
    public let inputChannels: Int
    /// Channels of each audio output, and whether it has a limiter.
    public let outputGroups: [OutputGroup]
    /// Whether something of the schedule before rings out or fades in it.
    public let isTransition: Bool
    let core: UnsafeMutablePointer<ScheduleCore>
    let whereabouts: UnsafeMutablePointer<Whereabouts>
    private let arena: Arena
    /// The pipeline's own nodes, then those that ring out.
    private let instances: [NodeInstance]
    private let bindings: Bindings
    private let lines: [AlignmentLine.Path: AlignmentLine]
    /// With what rings out and fades behind its own parts.
    private let whole: Pipeline

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
    ///   - outside: The signals of the engine, the pipeline's among them; nil for those of the pipeline alone.
    /// - Throws: `PreparationFault` where a plugin does not load.
    public convenience init(
        preparing pipeline: Pipeline, catalogue: Catalogue, format: AudioFormat,
        outside: Outside? = nil
    ) throws(PreparationFault) {
        let pipeline = pipeline.atLoad
        try self.init(
            Splice(of: pipeline), pipeline, catalogue, format,
            outside: outside ?? Outside(pipeline) ?? Outside(), after: nil)
    }

    /// Prepares a pipeline that takes the place of another: nodes that are the same keep their processors and all that
    /// sounds in them, new ones fade in, and what is gone rings out into the places its output had.
    ///
    /// Values of nodes that stay are left as they are. It is for `Engine.splice` alone, as the next schedule after `old`.
    ///
    /// - Parameters:
    ///   - pipeline: What is to be played.
    ///   - catalogue: The one that the pipeline was checked with.
    ///   - outside: The signals of the engine, those of both pipelines among them.
    ///   - old: What plays.
    ///   - hasSettled: Whether all that rang out in it is over.
    /// - Throws: `PreparationFault` where a plugin does not load.
    public convenience init(
        preparing pipeline: Pipeline, catalogue: Catalogue, outside: Outside, after old: Schedule,
        hasSettled: Bool
    ) throws(PreparationFault) {
        let leaving = old.instances.indices.dropFirst(old.plan.nodes.count)
        // What rings out may end at any moment, unless it is held.
        let held = hasSettled ? [] : leaving.filter { old.instances[$0].claim.pointee.hold() }
        let ended = leaving.filter { hasSettled || old.instances[$0].claim.pointee.isOver }
        let splice = Splice(
            of: pipeline, after: hasSettled ? old.pipeline : old.whole, old.plan.wires,
            without: Set(ended), givingUp: Set(leaving).subtracting(held))
        for place in held where splice.isLeaving(formerPlace: place) {
            old.instances[place].claim.pointee.release()
        }
        do {
            try self.init(
                splice, pipeline, catalogue, old.plan.format, outside: outside, after: old)
        } catch {
            for place in held { old.instances[place].claim.pointee.release() }
            throw error
        }
    }

    private init(
        _ splice: Splice, _ pipeline: Pipeline, _ catalogue: Catalogue, _ format: AudioFormat,
        outside: Outside, after old: Schedule?
    ) throws(PreparationFault) {
        self.pipeline = pipeline
        self.outside = outside
        whole = splice.pipeline
        var instances: [NodeInstance] = []
        for (place, node) in whole.nodes.enumerated() {
            if let old, let former = splice.formerPlaces[place] {
                instances.append(old.instances[former])
            } else {
                let prepared = try PreparedNode(
                    node, catalogue: catalogue, format: format, tempo: pipeline.tempo)
                instances.append(NodeInstance(prepared, node, format: format))
            }
        }
        self.instances = instances
        plan = Plan(splice, latencies: instances.map(\.latencyFrames), format: format)
        isTransition =
            instances.count > splice.nodeCount
            || plan.steps.contains { if case .blend = $0 { true } else { false } }
            || whole.outputs.count > splice.outputCount
        inputChannels = pipeline.inputs.map(\.channels).reduce(0, +)
        outputGroups = pipeline.outputs.filter { $0.kind == .audio }.map {
            OutputGroup(channels: $0.channels, hasLimiter: $0.hasLimiter)
        }
        arena = Arena()
        whereabouts = .allocate(capacity: 1)
        whereabouts.initialize(to: Whereabouts())
        var layout = ScheduleLayout(
            plan, splice, instances, outside: outside, whereabouts: whereabouts,
            formerLines: old?.lines ?? [:], arena: arena)
        bindings = Bindings(
            pipeline, outside: outside, sampleRate: format.sampleRate)
        core = layout.makeCore(bindings.table)
        lines = layout.lines
    }

    deinit {
        whereabouts.deinitialize(count: 1)
        whereabouts.deallocate()
    }

    /// The oldest incident of a plugin that was not yet read, and its node's place in the pipeline.
    public func nextIncident() -> (node: Int, incident: Incident)? {
        for (node, instance) in instances.enumerated() {
            for processor in instance.processors {
                if let incident = processor.incidents?.next() { return (node, incident) }
            }
        }
        return nil
    }

    /// The ids of all nodes: the pipeline's, then those that ring out.
    public var nodeIDs: [String] { whole.nodes.map(\.id) }

    /// The processors of a node, by its place; for the control side's calls alone.
    public func processors(ofNode node: Int) -> [Processor] { instances[node].processors }

    /// Channels of the pipeline's audio outputs, all together.
    public var outputChannels: Int { outputGroups.map(\.channels).reduce(0, +) }

    /// What the node cost in the cycle rendered last, in processor ticks; see `TickRate`.
    ///
    /// Only for a caller that renders on its own thread, as a benchmark does.
    public func lastTicks(ofNode node: Int) -> UInt64 {
        core.pointee.nodes[node].pointee.measurement.ticks
    }
}
