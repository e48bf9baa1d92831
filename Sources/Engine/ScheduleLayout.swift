internal import CRealtime
internal import Pipelines
internal import Processing

/// Lays a plan out in memory: buffers, states, and the table of functions.
struct ScheduleLayout {
    /// How long a change of `mix` or `bypass` takes.
    static let crossfadeSeconds = 0.02

    /// How late a node that tells its latency while it plays may become with its dry signal beside it.
    private static let mostLatencyFrames = 1 << 14

    /// Frames of silence behind each buffer.
    static let guardFrames = 16

    private let plan: Plan
    private let pipeline: Pipeline
    private let prepared: [PreparedNode]
    private let inputChannels: Int
    private let arena: Arena
    private let buffers: [UnsafeMutablePointer<Float>]
    private let silence: UnsafePointer<Float>
    /// Gains of one cycle; the steps run one after another, so one place serves all.
    private let gains: UnsafeMutablePointer<Float>
    private let outside: UnsafeMutablePointer<UnsafePointer<Float>>
    private let lap: UnsafeMutablePointer<UInt64>
    private let whereabouts: UnsafeMutablePointer<Whereabouts>
    private let isOnDuty: UnsafeMutablePointer<Bool>

    init(
        _ plan: Plan, _ pipeline: Pipeline, _ prepared: [PreparedNode], inputChannels: Int,
        whereabouts: UnsafeMutablePointer<Whereabouts>, arena: Arena
    ) {
        self.plan = plan
        self.pipeline = pipeline
        self.prepared = prepared
        self.inputChannels = inputChannels
        self.arena = arena
        // Some plugins read a little past the end of their input: there they find silence.
        let frames = plan.format.maximumBlockFrames + Self.guardFrames
        buffers = (0..<plan.bufferCount).map { _ in arena.samples(frames) }
        silence = UnsafePointer(arena.samples(frames))
        gains = arena.samples(frames)
        outside = arena.allocate(inputChannels, silence)
        lap = arena.allocate(1, 0)
        isOnDuty = arena.allocate(1, false)
        self.whereabouts = whereabouts
    }

    private var crossfadeFrames: Int32 { Int32(Self.crossfadeSeconds * plan.format.sampleRate) }

    func makeCore() -> UnsafeMutablePointer<ScheduleCore> {
        var nodes = [UnsafeMutablePointer<NodeStep>?](repeating: nil, count: prepared.count)
        let entries = plan.steps.map { step in
            switch step {
            case .input(let channel, let into): inputEntry(channel, into)
            case .delay(let from, let into, let frames): delayEntry(from, into, frames)
            case .node(let node): nodeEntry(node, &nodes)
            }
        }
        let outputs = plan.outputs.flatMap(\.buffers).map { UnsafePointer(buffers[$0]) }
        let reports = reportedValues()
        return arena.allocate(
            1,
            ScheduleCore(
                entries: arena.copy(entries), entryCount: entries.count,
                nodes: arena.copy(nodes.compactMap { $0 }), nodeCount: nodes.count,
                inputs: outside, inputCount: inputChannels,
                outputs: arena.copy(outputs), outputCount: outputs.count,
                reports: arena.copy(reports), reportCount: reports.count,
                maximumFrames: plan.format.maximumBlockFrames,
                rate: RateFigures(sampleRate: plan.format.sampleRate),
                beatsPerMinute: pipeline.tempo, lap: lap, whereabouts: whereabouts,
                isOnDuty: isOnDuty))
    }

    private func inputEntry(_ channel: Int, _ into: Plan.Buffer) -> ScheduleCore.Entry {
        let state = arena.allocate(
            1, InputStep(outside: outside, channel: channel, into: buffers[into]))
        return .init(run: runInputStep, state: state, inner: UnsafeRawPointer(state))
    }

    private func delayEntry(
        _ from: Plan.Buffer, _ into: Plan.Buffer, _ frames: Int
    ) -> ScheduleCore.Entry {
        let state = arena.allocate(
            1, DelayStep(delay: delay(frames), from: buffers[from], into: buffers[into]))
        return .init(run: runDelayStep, state: state, inner: UnsafeRawPointer(state))
    }

    private func delay(_ frames: Int, _ mostFrames: Int = 0) -> FrameDelay {
        FrameDelay(
            frames: frames, mostFrames: mostFrames,
            maximumBlockFrames: plan.format.maximumBlockFrames, arena: arena)
    }

    private func nodeEntry(
        _ step: Plan.NodeStep, _ nodes: inout [UnsafeMutablePointer<NodeStep>?]
    ) -> ScheduleCore.Entry {
        let processors = prepared[step.node].processors
        let state = arena.allocate(
            1,
            NodeStep(
                units: arena.copy(units(step, processors)), unitCount: processors.count,
                isSplittable: processors.allSatisfy { $0.isSplittable && !$0.playsInTime },
                outputs: arena.copy(step.outputs.map { buffers[$0] }),
                outputCount: step.outputs.count, blend: blend(step),
                surroundings: surroundings(step, processors),
                recoveryFrames: crossfadeFrames, lap: lap, number: Int32(step.node),
                whereabouts: whereabouts, plugin: care(step, processors)))
        if pipeline.nodes[step.node].isBypassed { state.pointee.tellBypass(true) }
        nodes[step.node] = state
        return .init(
            run: runNodeStep, state: state,
            inner: UnsafeRawPointer(processors.first?.state ?? UnsafeMutableRawPointer(state)))
    }

    private func surroundings(
        _ step: Plan.NodeStep, _ processors: [Processor]
    ) -> NodeSurroundings {
        let inputs = pipeline.inputs.indices.filter { pipeline.inputs[$0].kind == .midi }
        let outputs = pipeline.outputs.filter { $0.kind == .midi }
        return NodeSurroundings(
            playsInTime: processors.contains(where: \.playsInTime),
            messageInput: pipeline.nodes[step.node].events.flatMap { inputs.firstIndex(of: $0) },
            messageOutput: outputs.firstIndex { $0.events == step.node },
            takesBypass: processors.contains(where: \.takesBypass),
            news: processors.first?.news, latencyFrames: plan.nodes[step.node].latencyFrames)
    }

    private func units(_ step: Plan.NodeStep, _ processors: [Processor]) -> [NodeStep.Unit] {
        var firstOutput = 0
        return zip(processors, step.inputs).map { processor, inputs in
            let sources = arena.copy(
                inputs.enumerated().map { place, buffer in
                    buffer.map { UnsafePointer(buffers[$0]) } ?? rest(step.node, input: place)
                })
            let count = processor.outputCount
            let sinks = arena.copy(
                step.outputs[firstOutput..<firstOutput + count].map { buffers[$0] })
            firstOutput += count
            let block = RTBlock(
                frameCount: 0, inputCount: Int32(inputs.count), outputCount: Int32(count),
                inputs: sources, outputs: sinks)
            return NodeStep.Unit(
                run: processor.run, set: processor.set, state: processor.state, block: block,
                partInputs: arena.allocate(inputs.count, silence),
                partOutputs: arena.allocate(count, gains), absence: processor.absence)
        }
    }

    /// What an input takes that nothing feeds: silence, or a control voltage at rest.
    private func rest(_ node: Int, input: Int) -> UnsafePointer<Float> {
        guard case .ports(let inputs, _) = pipeline.nodes[node].description.channels,
            inputs.indices.contains(input), inputs[input].restingValue != 0
        else { return silence }
        let frames = plan.format.maximumBlockFrames + Self.guardFrames
        let resting = arena.samples(frames)
        resting.update(repeating: inputs[input].restingValue, count: frames)
        return UnsafePointer(resting)
    }

    /// What a plugin is watched with; nil for our own effects.
    private func care(_ step: Plan.NodeStep, _ processors: [Processor]) -> UnsafeMutablePointer<
        PluginCare
    >? {
        guard case .plugin = pipeline.nodes[step.node].type else { return nil }
        let frames = plan.format.maximumBlockFrames
        let timing = Meters.Timing(sampleRate: plan.format.sampleRate)
        let care = PluginCare(
            watchdog: Watchdog(
                sampleRate: plan.format.sampleRate, ticksPerFrame: timing.ticksPerFrame,
                duty: isOnDuty),
            absence: Absence(
                channels: step.outputs.count, maximumFrames: frames, arena: arena),
            mayBeAway: processors.contains { $0.absence != nil }, guardOffset: frames)
        return arena.allocate(1, care)
    }

    private func blend(_ step: Plan.NodeStep) -> WetDry {
        let node = pipeline.nodes[step.node]
        let latency = plan.nodes[step.node].latencyFrames
        let mayChange = prepared[step.node].processors.contains { $0.news != nil }
        let most = mayChange ? Self.mostLatencyFrames : 0
        let channels = step.dry.map { sources in
            WetDry.Channel(
                sources: arena.copy(sources.map { UnsafePointer(buffers[$0.buffer]) }),
                gains: arena.copy(sources.map(\.gain)), count: sources.count,
                samples: arena.samples(plan.format.maximumBlockFrames),
                delay: delay(latency, most))
        }
        return WetDry(
            channels: arena.copy(channels), channelCount: channels.count, isDelayed: latency > 0,
            crossfadeFrames: crossfadeFrames, gains: gains,
            mix: node.mix, isBypassed: node.isBypassed)
    }

    private func reportedValues() -> [ScheduleCore.ReportedValue] {
        prepared.enumerated().flatMap { place, node -> [ScheduleCore.ReportedValue] in
            guard let reports = node.processors.first?.reports else { return [] }
            return pipeline.nodes[place].description.reports.indices.map {
                .init(node: Int32(place), report: Int32($0), place: reports + $0)
            }
        }
    }
}
