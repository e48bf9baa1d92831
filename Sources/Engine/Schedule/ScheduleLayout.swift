internal import CRealtime
public import Pipelines
internal import Processing
internal import Realtime
internal import Synchronization

/// Lays out a plan in memory: buffers, wirings, and the table of functions.
struct ScheduleLayout {
    /// The frames of silence behind each buffer.
    static let guardFrames = 16

    let plan: Plan
    let splice: Splice
    var pipeline: Pipeline { splice.pipeline }
    let instances: [NodeInstance]
    let ports: EnginePorts
    private let formerLines: [AlignmentLine.Path: AlignmentLine]
    private let entry: EntryValues
    /// The memory of the delayed paths.
    private(set) var lines: [AlignmentLine.Path: AlignmentLine] = [:]
    private var lineWirings: [LineWiring] = []
    let arena: Arena
    let buffers: [UnsafeMutablePointer<Float>]
    let silence: UnsafePointer<Float>
    /// A target for channel pointers that are not in use yet.
    private let unusedBuffer: UnsafeMutablePointer<Float>
    private let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
    private let inputCount: Int
    private let inputLevel: UnsafeMutablePointer<InputLevel>
    private let levels: SceneLevels
    private let transition: UnsafeMutablePointer<Transition>
    private let reducible: [ReducibleNode]
    private let shared: SharedState
    private let waiting: UnsafeMutablePointer<Atomic<Int32>>

    /// The state that all steps share.
    private struct SharedState {
        let runners: UnsafeMutablePointer<RunnerState>
        let runnerCount: Int
        let stepMeter: UnsafeMutablePointer<StepMeter>
        let deadlines: UnsafeMutablePointer<CycleDeadlines>
        let activeNode: UnsafeMutablePointer<ActiveNodeMarker>
        let releases: UnsafeMutablePointer<RTMessages>
    }

    init(
        _ plan: Plan, _ splice: Splice, _ instances: [NodeInstance], ports: EnginePorts,
        activeNode: UnsafeMutablePointer<ActiveNodeMarker>, runnerCount: Int,
        waiting: UnsafeMutablePointer<Atomic<Int32>>, reducible: [ReducibleNode],
        formerLines: [AlignmentLine.Path: AlignmentLine], entry: EntryValues, arena: Arena
    ) {
        self.entry = entry
        self.plan = plan
        self.splice = splice
        self.instances = instances
        self.ports = ports
        self.formerLines = formerLines
        self.arena = arena
        // Some plugins read a little beyond the end of their input; they find silence there.
        let frames = plan.format.maximumBlockFrames + Self.guardFrames
        buffers = (0..<plan.bufferCount).map { _ in arena.samples(frames) }
        silence = UnsafePointer(arena.samples(frames))
        unusedBuffer = arena.samples(frames)
        inputCount = splice.pipeline.inputs.map(\.channels).reduce(0, +)
        inputs = arena.allocate(inputCount, silence)
        inputLevel = arena.allocate(1, InputLevel(gains: arena.samples(frames)))
        levels = SceneLevels(
            own: arena.allocate(1, SceneLevel(gains: arena.samples(frames))),
            former: arena.allocate(1, SceneLevel(gains: arena.samples(frames))),
            areUsed: plan.steps.contains { step in
                if case .gain(_, let level, _, _) = step { level != .none } else { false }
            })
        transition = arena.allocate(1, Transition(plan, splice, instances, arena: arena))
        self.waiting = waiting
        self.reducible = reducible
        shared = SharedState(
            runners: arena.allocate(runnerCount, RunnerState()), runnerCount: runnerCount,
            stepMeter: arena.allocate(
                1,
                StepMeter(
                    tapped: arena.samples(TapBuffers.count * frames), tapFrames: frames)),
            deadlines: arena.allocate(1, CycleDeadlines()),
            activeNode: activeNode, releases: arena.allocate(1, NoteReleases.messages(in: arena)))
    }

    mutating func makeCore(_ bindings: BindingTable) -> UnsafeMutablePointer<ScheduleCore> {
        var wirings = [NodeWiring?](repeating: nil, count: instances.count)
        let entries = plan.steps.map { step in
            switch step {
            case .input(let channel, let into): inputEntry(channel, into)
            case .delay(let wire, let from, let into): delayEntry(wire, from, into)
            case .gain(let gain, let level, let from, let into):
                gainEntry(gain, level, from, into)
            case .blend(let terms, let into): blendEntry(terms, into)
            case .node(let node): nodeEntry(node, &wirings)
            }
        }
        let table = arena.copy(entries)
        let nodes = arena.copy(instances.map(\.step))
        let scenes = arena.copy(sceneCores())
        let reports = reportedValues()
        let arrivals = instances.arrivalSources
        let states = instances.stateSources
        let sounds = instances.soundSources
        let ends = outputEnds()
        let groups = ports.outputChannelGroups(arena: arena)
        // An output that leaves in a splice sends no clock.
        let clockOutputs = pipeline.outputs.prefix(splice.outputCount)
            .filter { $0.kind == .midi && $0.hasClock }
            .map { ports.slots(ofOutput: $0.name, .midi, count: 1)[0] }
        return arena.allocate(
            1,
            ScheduleCore(
                entries: table, entryCount: entries.count,
                tasks: plan.tasks.flatMap { taskTable($0, UnsafePointer(table)) },
                preludeCount: plan.tasks?.preludeCount ?? entries.count,
                runners: shared.runners, runnerCount: shared.runnerCount,
                nodes: nodes, nodeCount: splice.nodeCount, allNodeCount: instances.count,
                reducible: UnsafePointer(arena.copy(reducible)), reducibleCount: reducible.count,
                wirings: arena.copy(wirings.compactMap { $0 }),
                lines: arena.copy(lineWirings), lineCount: lineWirings.count,
                inputs: inputs, inputSlots: arena.copy(inputSlots()), inputCount: inputCount,
                outputs: arena.copy(ends.map(\.sound)), outputSlots: arena.copy(ends.map(\.slot)),
                outputCount: ends.count, groups: arena.copy(groups), groupCount: groups.count,
                inputSlotCount: ports.inputSlots, outputSlotCount: ports.outputSlots,
                gapFrames: instances.map(\.gapFrames).reduce(Int(plan.format.sampleRate), max),
                reports: arena.copy(reports), reportCount: reports.count,
                arrivals: arena.copy(arrivals), arrivalCount: arrivals.count,
                states: arena.copy(states), stateCount: states.count,
                sounds: arena.copy(sounds), soundCount: sounds.count,
                values: NodeValues(nodes: arena.copy(instances.map(\.step.pointee.values))),
                bindings: bindings, feedbackSlot: ports.feedbackSlot ?? -1,
                scenes: scenes, sceneCount: pipeline.scenes.count,
                valuesAtStart: sceneCore(entry.atStart),
                valuesAtCrossfade: sceneCore(entry.atCrossfade),
                messages: MessageLists(
                    pipeline, ports: ports, sampleRate: plan.format.sampleRate, arena: arena),
                clockInput: pipeline.inputs.firstIndex(where: \.hasClock)
                    .map { messageSlot(ofInput: $0) } ?? -1,
                clockOutputs: arena.copy(clockOutputs), clockOutputCount: clockOutputs.count,
                maximumFrames: plan.format.maximumBlockFrames,
                rate: RateFigures(sampleRate: plan.format.sampleRate),
                beatsPerMinute: pipeline.tempo,
                // With an outer level, the gain of the song applies where its signals reach it.
                outputGain: pipeline.outer == nil
                    ? Float(Decibels(pipeline.gainDecibels).amplitude) : 1,
                levels: levels,
                stepMeter: shared.stepMeter,
                activeNode: shared.activeNode,
                deadlines: shared.deadlines, inputLevel: inputLevel, transition: transition))
    }

    /// Lays out the tasks for several cores; `nil` if there is nothing to share.
    private func taskTable(
        _ graph: TaskGraph, _ entries: UnsafePointer<ScheduleCore.Entry>
    ) -> TaskTable? {
        guard (2...TaskBoard.taskCapacity).contains(graph.tasks.count) else { return nil }
        let tasks = graph.tasks.map { task in
            TaskEntry(
                first: Int32(task.steps.lowerBound), end: Int32(task.steps.upperBound),
                successors: arena.copy(task.successors.map { Int32($0) }),
                successorCount: Int32(task.successors.count),
                predecessorCount: Int32(task.predecessorCount))
        }
        var roots = [UInt64](repeating: 0, count: (tasks.count + 63) / 64)
        for (index, task) in tasks.enumerated() where task.predecessorCount == 0 {
            roots[index / 64] |= 1 << UInt64(index % 64)
        }
        return TaskTable(
            tasks: arena.copy(tasks), count: tasks.count, entries: entries, waiting: waiting,
            roots: arena.copy(roots), runners: shared.runners, activeNodes: shared.activeNode)
    }

    // MARK: Steps

    private func inputEntry(_ channel: Int, _ into: Plan.Buffer) -> ScheduleCore.Entry {
        let state = arena.allocate(
            1,
            InputStep(
                inputs: inputs, channel: channel, into: buffers[into], level: inputLevel))
        return .init(run: runInputStep, state: state, inner: UnsafeRawPointer(state))
    }

    private mutating func delayEntry(
        _ wire: Wire, _ from: Plan.Buffer, _ into: Plan.Buffer
    ) -> ScheduleCore.Entry {
        let source: AlignmentLine.Path.Source =
            switch wire.tap.source {
            case .input(let index): .input(pipeline.inputs[index].name)
            case .node(let index): .node(ObjectIdentifier(instances[index]))
            }
        let path = AlignmentLine.Path(
            source: source, channel: wire.tap.channel, frames: wire.delayFrames)
        let line =
            formerLines[path]
            ?? AlignmentLine(
                frames: wire.delayFrames, maximumBlockFrames: plan.format.maximumBlockFrames)
        lines[path] = line
        lineWirings.append(
            LineWiring(
                step: line.step, from: UnsafePointer(buffers[from]), into: buffers[into]))
        return .init(run: runDelayStep, state: line.step, inner: UnsafeRawPointer(line.step))
    }

    private func gainEntry(
        _ gain: Float, _ level: Wire.Level, _ from: Plan.Buffer, _ into: Plan.Buffer
    ) -> ScheduleCore.Entry {
        let moving: UnsafeMutablePointer<SceneLevel>? =
            switch level {
            case .none: nil
            case .own: levels.own
            case .former: levels.former
            }
        let state = arena.allocate(
            1,
            GainStep(
                from: UnsafePointer(buffers[from]), into: buffers[into], gain: gain,
                level: moving.map { UnsafePointer($0) }))
        return .init(run: runGainStep, state: state, inner: UnsafeRawPointer(state))
    }

    private func blendEntry(
        _ terms: [Plan.BlendTerm], _ into: Plan.Buffer
    ) -> ScheduleCore.Entry {
        let parts = terms.map { term in
            BlendStep.Term(
                from: UnsafePointer(buffers[term.buffer]),
                gains: transition.pointee.gains(of: term.fade))
        }
        let state = arena.allocate(
            1,
            BlendStep(terms: arena.copy(parts), termCount: parts.count, into: buffers[into]))
        return .init(run: runBlendStep, state: state, inner: UnsafeRawPointer(state))
    }

    private func nodeEntry(
        _ step: Plan.NodeStep, _ wirings: inout [NodeWiring?]
    ) -> ScheduleCore.Entry {
        let instance = instances[step.node]
        let node = pipeline.nodes[step.node]
        let isSource = node.isSource(inputCount: step.inputs.joined().count { $0 != nil })
        let sink = pipeline.outputs.first { $0.kind == .midi && $0.events == step.node }
        wirings[step.node] = NodeWiring(
            units: arena.copy(units(step, instance.processors)),
            outputs: arena.copy(step.outputs.map { buffers[$0] }),
            stepMeter: shared.stepMeter, runners: shared.runners,
            activeNode: shared.activeNode,
            deadlines: shared.deadlines,
            number: Int32(step.node), parameterCount: Int32(node.parameters.count),
            lastOutput: node.canBeHalted
                ? instance.lastOutput(
                    channels: node.outputChannels, sampleRate: plan.format.sampleRate) : nil,
            dry: arena.copy(step.dry.map(drySources)),
            isLeaving: step.node >= splice.nodeCount,
            isAlwaysBypassed: node.isAlwaysBypassed, isPaused: node.isPaused,
            isSource: isSource,
            tailFrames: isSource ? 0 : Int(splice.tailSeconds * plan.format.sampleRate),
            endsTail: splice.endsTail(ofNode: step.node),
            messageInput: node.events.map { messageSlot(ofInput: $0) } ?? -1,
            messageOutput: sink.map { Int(ports.slots(ofOutput: $0.name, .midi, count: 1)[0]) }
                ?? -1,
            releases: shared.releases)
        let state = UnsafeMutableRawPointer(instance.step)
        return .init(
            run: runNodeStep, state: state,
            inner: UnsafeRawPointer(instance.processors.first?.kernel.address ?? state))
    }

    private func messageSlot(ofInput index: Int) -> Int {
        Int(ports.slots(ofInput: pipeline.inputs[index].name, .midi, count: 1)[0])
    }

    private func drySources(_ sources: [Plan.DrySource]) -> WetDry.Sources {
        WetDry.Sources(
            signals: arena.copy(sources.map { UnsafePointer(buffers[$0.buffer]) }),
            gains: arena.copy(sources.map(\.gain)), count: sources.count)
    }

    private func units(_ step: Plan.NodeStep, _ processors: [Processor]) -> [NodeStep.Unit] {
        var firstOutput = 0
        return zip(processors, step.inputs).map { processor, inputs in
            let sources = arena.copy(
                inputs.enumerated().map { index, buffer in
                    buffer.map { UnsafePointer(buffers[$0]) }
                        ?? restingSignal(step.node, input: index)
                })
            let count = processor.outputCount
            let sinks = arena.copy(
                step.outputs[firstOutput..<firstOutput + count].map { buffers[$0] })
            firstOutput += count
            let block = RTBlock(
                frameCount: 0, inputCount: Int32(inputs.count), outputCount: Int32(count),
                inputs: sources, outputs: sinks)
            return NodeStep.Unit(
                kernel: processor.kernel, block: block,
                partInputs: arena.allocate(inputs.count, silence),
                partOutputs: arena.allocate(count, unusedBuffer),
                missedOutput: processor.missedOutput)
        }
    }

    /// Returns the signal of an unconnected input: silence, or the resting value of a control
    /// voltage.
    private func restingSignal(_ node: Int, input: Int) -> UnsafePointer<Float> {
        guard case .ports(let inputs, _) = pipeline.nodes[node].description.channels,
            inputs.indices.contains(input), inputs[input].restingValue != 0
        else { return silence }
        let frames = plan.format.maximumBlockFrames + Self.guardFrames
        let resting = arena.samples(frames)
        resting.update(repeating: inputs[input].restingValue, count: frames)
        return UnsafePointer(resting)
    }
}

extension Pipeline.Node {
    /// Returns whether the node is a source, given how many of its inputs are connected.
    fileprivate func isSource(inputCount: Int) -> Bool {
        inputCount == 0 && !description.receivesEvents
    }
}

// The ends of a schedule: inputs, outputs, scenes, and the values that nodes report.

extension ScheduleLayout {
    func inputSlots() -> [Int32] {
        pipeline.inputs.filter { $0.kind == .audio }.flatMap { input in
            ports.slots(ofInput: input.name, .audio, count: input.channels)
        }
    }

    private func outputEnds() -> [(sound: UnsafePointer<Float>, slot: Int32)] {
        zip(pipeline.outputs, plan.outputs).filter { $0.0.kind == .audio }.flatMap {
            output, planned in
            zip(
                planned.buffers.map { $0.map { UnsafePointer(buffers[$0]) } ?? silence },
                ports.slots(ofOutput: output.name, .audio, count: output.channels)
            ).map { ($0, $1) }
        }
    }

    private func sceneCores() -> [ScheduleCore.SceneCore] {
        pipeline.scenes.map { scene in
            let changes = scene.changes.map { change in
                sceneChange(change, pipeline.manner(of: change, in: scene))
            }
            return .init(
                changes: arena.copy(changes), count: changes.count,
                gainDecibels: Float(scene.gainDecibels ?? 0),
                gainFade: Fade(
                    ofDecibels: FadeManner(
                        seconds: scene.fades.seconds, curve: scene.fades.curve)),
                needsExchange: pipeline.changesSettings(scene),
                key: SceneFollow.key(scene.name),
                follow: follow(of: scene))
        }
    }

    private func follow(of scene: Pipeline.Scene) -> SceneFollow {
        guard let follow = scene.cue.follow else { return .none }
        switch follow.start {
        case .after(let seconds):
            return SceneFollow(
                scene: Int32(follow.scene),
                frames: SceneFollow.frames(seconds: seconds, sampleRate: plan.format.sampleRate))
        case .endOfNode(let node):
            // A stand-in has no end.
            let endCount = instances[node].processors.first?.endCount
            return SceneFollow(scene: Int32(follow.scene), endCount: endCount)
        }
    }

    /// Returns changes that are no scene.
    private func sceneCore(_ changes: [Pipeline.Change]) -> ScheduleCore.SceneCore {
        let changes = changes.map { sceneChange($0, FadeManner(seconds: 0)) }
        return .init(
            changes: arena.copy(changes), count: changes.count, gainDecibels: 0,
            gainFade: Fade(ofDecibels: FadeManner(seconds: 0)), needsExchange: false, key: 0,
            follow: .none)
    }

    private func sceneChange(
        _ change: Pipeline.Change, _ manner: FadeManner
    ) -> ScheduleCore.SceneChange {
        ScheduleCore.SceneChange(
            node: Int32(change.address.node), target: change.address.target.eventTarget,
            value: change.value, fade: Fade(manner, of: pipeline.parameter(at: change.address)))
    }

    func reportedValues() -> [ScheduleCore.ReportedValue] {
        instances.prefix(splice.nodeCount).enumerated().flatMap {
            index, instance -> [ScheduleCore.ReportedValue] in
            guard let reports = instance.processors.first?.reports else { return [] }
            return pipeline.nodes[index].description.reports.indices.map {
                .init(node: Int32(index), report: Int32($0), pointer: reports + $0)
            }
        }
    }
}

extension Pipeline.Address.Target {
    /// The number that represents the target in an event.
    public var eventTarget: Int32 {
        switch self {
        case .parameter(let index): Int32(index)
        case .bypass: Int32(RTTargetBypass.rawValue)
        case .mix: Int32(RTTargetMix.rawValue)
        }
    }
}
