internal import CRealtime
internal import Pipelines
internal import Processing
internal import Realtime
internal import Synchronization

/// A node's processors and state, which are passed from schedule to schedule while the node exists.
final class NodeInstance {
    let processors: [Processor]
    /// The files that the processors have opened.
    let files: [OpenedFile]
    /// The part that the audio thread uses; each schedule that takes the node over wires it again.
    let step: UnsafeMutablePointer<NodeStep>
    private let arena = Arena()
    /// The measured time of a cycle, in ns; 0 if it is not known.
    let costNanoseconds = Atomic(0)
    /// The last output; `nil` until the node needs it.
    private var substitute: UnsafeMutablePointer<OutputSubstitute>?
    /// Decides who owns the node while it is being removed.
    let claim = Buffer(containing: NodeRemovalClaim())

    /// Creates a node from its processors, with the bypass and mix of its file.
    ///
    /// - Parameters:
    ///   - prepared: The node's processors.
    ///   - node: The node of the pipeline.
    ///   - format: The sample rate, and the maximum number of frames per cycle.
    init(_ prepared: PreparedNode, _ node: Pipeline.Node, format: AudioFormat) {
        processors = prepared.processors
        files = prepared.files
        let parts = NodeParts(
            node, processors, latencyFrames: prepared.latencyFrames, format: format,
            claim: claim.start, arena: arena)
        substitute = parts.substitute()
        step = arena.allocate(1, parts.step(substitute))
        guard node.isBypassed, step.pointee.context.receivesBypass else { return }
        // Set the processors directly, because the step is not wired yet.
        step.pointee.context.hasSentBypass = true
        for processor in processors {
            processor.kernel.set(RTTargetBypass.rawTarget, to: 1)
        }
    }

    /// Prepares the processors for changed settings, without an effect before the commit.
    ///
    /// - Parameters:
    ///   - node: The node with settings that the rule of its effect allows.
    ///   - replacedFiles: The files to open instead of others, by their paths.
    ///   - format: The sample rate, and the maximum number of frames per cycle.
    ///   - tempo: The tempo in beats per minute.
    /// - Returns: A change for each processor.
    /// - Throws: `PreparationError` if a processor cannot use the settings.
    func prepareChanges(
        to node: Pipeline.Node, _ replacedFiles: [String: String], format: AudioFormat,
        tempo: Double
    ) throws(PreparationError) -> [any SettingsChange] {
        var changes: [any SettingsChange] = []
        let requests = node.requests(
            format: format, tempo: tempo, replacedFiles: replacedFiles)
        for (processor, request) in zip(processors, requests) {
            do throws(PluginError) {
                guard let follower = processor.settingsFollower else {
                    throw PluginError("it cannot follow changed settings")
                }
                changes.append(try follower.prepareChange(to: request))
            } catch {
                throw PreparationError(node: node.id, plugin: node.type.name, cause: error)
            }
        }
        return changes
    }

    /// Returns the memory of the last output for a node that can be halted.
    ///
    /// An edit can give a node its cheaper variant when it runs already.
    func lastOutput(channels: Int, sampleRate: Double) -> UnsafeMutablePointer<OutputSubstitute> {
        let present =
            substitute
            ?? arena.allocate(
                1, OutputSubstitute(channels: channels, sampleRate: sampleRate, arena: arena))
        substitute = present
        return present
    }

    /// The current latency, in frames.
    var latencyFrames: Int {
        // A single number, which the audio thread writes in one piece.
        processors.first?.status.map { Int($0.pointee.latencyFrames) }
            ?? processors.map(\.latencyFrames).max() ?? 0
    }

    /// The longest silence, with silent input, after which the node may still produce output, in
    /// frames.
    var gapFrames: Int { processors.map(\.gapFrames).max() ?? 0 }
}

extension NodeInstance {
    /// Notes the mean time of a cycle, in ns.
    func note(_ cost: Double) {
        // 0 means that the time is not known.
        costNanoseconds.store(Int(max(1, min(cost, 1e12))), ordering: .relaxed)
    }
}

extension [NodeInstance] {
    /// The mean time of each node in a cycle, in ns; empty if none is known.
    ///
    /// A node whose time is not known, such as a new one, counts as the mean of the others.
    var knownCosts: [Double] {
        let costs = map { Double($0.costNanoseconds.load(ordering: .relaxed)) }
        let known = costs.filter { $0 > 0 }
        guard !known.isEmpty else { return [] }
        let mean = known.reduce(0, +) / Double(known.count)
        return costs.map { $0 > 0 ? $0 : mean }
    }
}

/// Allocates the state of a node.
private struct NodeParts {
    private let node: Pipeline.Node
    private let processors: [Processor]
    private let latencyFrames: Int
    private let format: AudioFormat
    private let claim: UnsafeMutablePointer<NodeRemovalClaim>
    private let arena: Arena

    init(
        _ node: Pipeline.Node, _ processors: [Processor], latencyFrames: Int, format: AudioFormat,
        claim: UnsafeMutablePointer<NodeRemovalClaim>, arena: Arena
    ) {
        self.claim = claim
        self.node = node
        self.processors = processors
        self.latencyFrames = latencyFrames
        self.format = format
        self.arena = arena
    }

    private var crossfadeFrames: Int32 {
        Int32(NodeStep.crossfadeSeconds * format.sampleRate)
    }

    func step(_ substitute: UnsafeMutablePointer<OutputSubstitute>?) -> NodeStep {
        NodeStep(
            isSplittable: processors.allSatisfy { $0.isSplittable && !$0.usesMIDIOrTransport },
            unitCount: processors.count, outputCount: node.outputChannels, blend: blend(),
            context: NodeContext(
                usesMIDIOrTransport: processors.contains(where: \.usesMIDIOrTransport),
                receivesBypass: processors.contains(where: \.receivesBypass),
                followsTempo: processors.contains(where: \.followsTempo),
                followsTransport: processors.contains(where: \.followsTransport),
                status: processors.first?.status, latencyFrames: latencyFrames),
            recoveryFrames: crossfadeFrames, unwired: .none(in: arena),
            plugin: substitute.flatMap(supervision),
            values: values(),
            isTrigger: UnsafePointer(arena.copy(node.parameters.map(\.isTrigger))),
            fadeSlots: arena.allocate(node.values.count + 2, -1),
            levels: arena.allocate(node.outputChannels, Meters.Level()), claim: claim)
    }

    /// Returns the initial value of bypass, mix and each parameter, in this order.
    private func values() -> UnsafeMutablePointer<Float> {
        arena.copy([node.isBypassed ? 1 : 0, node.mix] + node.values)
    }

    private func blend() -> WetDry {
        let mayChange = processors.contains { $0.status != nil }
        let passesAtOnce = node.isBypassed && node.isAlwaysBypassed
        let channels = (0..<node.outputChannels).map { _ in
            WetDry.Channel(
                samples: arena.samples(format.maximumBlockFrames),
                delay: FrameDelay(
                    frames: passesAtOnce ? 0 : latencyFrames,
                    maximumFrames: max(
                        latencyFrames, mayChange ? WetDry.maximumLatencyFrames : 0),
                    maximumBlockFrames: format.maximumBlockFrames, arena: arena))
        }
        return WetDry(
            channels: arena.copy(channels), channelCount: channels.count,
            latencyFrames: latencyFrames, crossfadeFrames: crossfadeFrames,
            gains: arena.samples(format.maximumBlockFrames), mix: node.mix,
            isBypassed: node.isBypassed, skipsLatency: node.isAlwaysBypassed)
    }

    private var isSupervised: Bool {
        if case .plugin = node.type { !node.isStandIn } else { false }
    }

    /// Returns the memory of the last output; `nil` if the node does not need it.
    func substitute() -> UnsafeMutablePointer<OutputSubstitute>? {
        guard isSupervised || node.canBeHalted else { return nil }
        return arena.allocate(
            1,
            OutputSubstitute(
                channels: node.outputChannels, sampleRate: format.sampleRate, arena: arena))
    }

    /// Returns the supervision of a plugin; `nil` for built-in effects.
    private func supervision(
        _ substitute: UnsafeMutablePointer<OutputSubstitute>
    ) -> UnsafeMutablePointer<PluginSupervision>? {
        guard isSupervised else { return nil }
        let timing = Meters.Timing(sampleRate: format.sampleRate)
        let supervision = PluginSupervision(
            watchdog: Watchdog(
                sampleRate: format.sampleRate, ticksPerFrame: timing.ticksPerFrame),
            substitute: substitute,
            mayBeAway: node.isolation != .none && processors.contains { $0.missedOutput != nil },
            guardOffset: format.maximumBlockFrames)
        return arena.allocate(1, supervision)
    }
}

extension Pipeline.Node {
    /// Whether the callback can halt the node, because it has a cheaper variant.
    var canBeHalted: Bool { whenLate != nil && !isStandIn }
}

extension OutputSubstitute {
    /// The number of frames that are stored: those of a crossfade.
    static func frames(sampleRate: Double) -> Int { Int(NodeStep.crossfadeSeconds * sampleRate) }

    /// Creates a replacement that is off, for a sample rate in Hz.
    fileprivate init(channels: Int, sampleRate: Double, arena: Arena) {
        self.init(channels: channels, frames: Self.frames(sampleRate: sampleRate), arena: arena)
    }
}
