internal import CRealtime
internal import Engine
internal import Pipelines
public import Processing

/// Renders a box again, and compares each call with the one that was played.
public final class Replay {
    /// The nodes whose sound may depend on more than the box contains, each once, by their ids.
    public var unrepeatable: [Unrepeatable] {
        causes.sorted { ($0.node, "\($0.cause)") < ($1.node, "\($1.cause)") }
    }

    private var causes: Set<Unrepeatable>
    private let box: Box
    private let folder: String
    private let catalogue: Catalogue
    private let engine: Engine
    private let format: AudioFormat
    /// The schedule that was handed over last.
    private var schedule: Schedule
    /// Prepared schedules that are not handed over yet, by number.
    private var prepared: [UInt64: Schedule] = [:]
    private var recipes: [UInt64: ScheduleRecipe] = [:]
    private var waiting: [UInt64]
    /// The schedule whose nodes the engine runs.
    private var running: Schedule
    private var incoming: [Schedule] = []
    /// The schedules that the engine may run, by number.
    private var alive: [UInt64: AliveSchedule] = [:]
    private let buffers: ReplayBuffers
    /// Whether a node of a schedule is a plugin, which can fail.
    private let hasPlugins: Bool
    private var comparison: ReplayComparison
    /// Whether calls were missing.
    private var hasGap = false
    /// Receives the output of each call: the channels, the slots in use and the number of frames.
    public var onOutput: ((UnsafePointer<UnsafeMutablePointer<Float>>, Int, Int) -> Void)?

    /// Prepares a replay.
    ///
    /// If the box is that of a program that died, plugins run in processes of their own: the one
    /// that ended the program can end only its process.
    ///
    /// - Parameters:
    ///   - box: The box.
    ///   - folder: The folder of the box, for the files that played.
    ///   - catalogue: The effects and plugins; recorders must not keep their takes.
    /// - Throws: `BoxError` if the first schedule is missing or cannot be prepared.
    public init(_ box: Box, folder: String, catalogue: Catalogue) throws(BoxError) {
        var catalogue = catalogue
        if box.facts.reason.kind == .crash {
            catalogue.plugins = SeparatePlugins(source: catalogue.plugins)
        }
        (self.box, self.folder, self.catalogue) = (box, folder, catalogue)
        let decoded = try BoxRecipes(box, folder: folder, catalogue)
        recipes = decoded.recipes
        hasPlugins = recipes.values.flatMap(\.pipeline.nodes).contains { $0.pluginURI != nil }
        causes = decoded.missing.union(
            recipes.values.flatMap(\.pipeline.nodes).compactMap { node in
                node.unrepeatableCause(catalogue).map { Unrepeatable(node: node.id, cause: $0) }
            })
        let longest = box.log.calls.map(\.frameCount).max() ?? 1
        format = AudioFormat(
            sampleRate: box.facts.sampleRate, maximumBlockFrames: max(1, longest),
            isReplay: true)
        guard let first = recipes[box.facts.firstSchedule] else {
            throw BoxError("the box does not contain the first schedule")
        }
        waiting = recipes.keys.filter { $0 > box.facts.firstSchedule }.sorted()
        do throws(PreparationError) {
            schedule = try Schedule(
                replaying: first, catalogue: catalogue, format: format, after: nil)
        } catch {
            throw BoxError(error.message)
        }
        running = schedule
        schedule.beginRepeating(isBehind: !box.facts.isWhole)
        alive = [box.facts.firstSchedule: AliveSchedule(schedule)]
        let start = box.facts.start
        engine = Engine(playing: schedule, fadingIn: box.facts.isWhole && start.fadesIn)
        if let call = box.log.calls.first { engine.begin(atFrame: call.frame) }
        if let gain = start.gainDecibels {
            engine.begin(isMuted: start.isMuted, gainDecibels: gain)
        }
        if start.startsSong, box.facts.isWhole { engine.startSong(scene: start.scene) }
        if !box.facts.isWhole { causes.formUnion(schedule.memories) }
        buffers = ReplayBuffers(longestFrames: max(1, longest))
        comparison = ReplayComparison(with: box)
    }

    /// Renders all calls, or those before the first one whose schedule the box lacks.
    ///
    /// - Parameter progress: Receives the completed share from time to time, from 0 through 1.
    /// - Returns: The comparison.
    /// - Throws: `BoxError` if a schedule cannot be prepared.
    public func run(progress: (Double) -> Void = { _ in }) throws(BoxError) -> Result {
        let control = rt_float_control()
        defer { rt_restore_float_control(control) }
        for command in box.facts.prelude {
            if let command = command.timed.command.command { _ = engine.send(command) }
        }
        let calls = playableCalls
        for (index, call) in calls.enumerated() {
            try play(call)
            if index % 4096 == 0 { progress(Double(index) / Double(calls.count)) }
        }
        progress(1)
        var result = comparison.result
        result.missingPipelineFrame = box.log.calls[calls.endIndex...].first?.frame
        return result
    }

    // MARK: Calls

    /// The calls up to the first one that needs a schedule which the box lacks.
    ///
    /// If a program dies just after an edit, its black box may not contain the schedule yet.
    private var playableCalls: ArraySlice<BoxLog.Call> {
        box.log.calls.prefix { call in
            box.log.commands[call.commands].allSatisfy {
                $0.command.manner == nil || recipes[$0.command.frame] != nil
            }
        }
    }

    /// Renders a call, in the pieces in which it was rendered.
    private func play(_ call: BoxLog.Call) throws(BoxError) {
        // The missing calls had frames too.
        if call.followsGap { engine.begin(atFrame: call.frame) }
        try prepareSchedules(before: call.frame)
        var next = call.commands.lowerBound
        var done = 0
        var arrivals = Array(box.log.arrivals[call.arrivals])
        // Commands of a later piece of the call must not come sooner.
        repeat {
            next = try send(
                from: next, to: call.commands.upperBound, until: call.frame + UInt64(done))
            // A node of a schedule that comes later in the call has not run before.
            arrivals.removeAll(where: give)
            if done == 0 { giveStates(call) }
            let end =
                next < call.commands.upperBound
                ? min(call.frameCount, Int(clamping: box.log.commands[next].frame - call.frame))
                : call.frameCount
            engine.audio.lead(call.flags & 4 != 0)
            engine.audio.render(
                frameCount: end - done, inputs: buffers.inputs(of: box.log, call, from: done),
                outputs: buffers.outputs(from: done),
                engineCall: buffers.engineCall(of: box.log, call, from: done, to: end))
            done = end
            receiveReports()
            comparison.findNotFinite(running, in: call)
        } while done < call.frameCount
        giveSounds(call)
        let slots = engine.audio.outputSlotCount
        let outputs = buffers.outputs(from: 0)
        comparison.compare(outputs, slots: slots, in: call)
        if hasPlugins { receiveFailures(call) }
        onOutput?(outputs, slots, call.frameCount)
        comparison.findLateNode(running, in: call)
        for schedule in alive.values { schedule.schedule?.endRepeatedCall() }
        engine.collect()
    }

    /// Gives a node the arrivals of a call; returns `false` if its schedule is not known yet.
    private func give(_ arrivals: BoxLog.Arrivals) -> Bool {
        guard let schedule = alive[arrivals.schedule]?.schedule else { return false }
        _ = schedule.give(
            arrivals.words, toNode: arrivals.node, processor: arrivals.processor)
        if arrivals.hasLost, schedule.nodeIDs.indices.contains(arrivals.node) {
            causes.insert(
                Unrepeatable(node: schedule.nodeIDs[arrivals.node], cause: .arrivals))
        }
        return true
    }

    /// Whether the replay may lack state or sound from before a call.
    private var isBehind: Bool { !box.facts.isWhole || hasGap }

    /// Gives the nodes the states that they have noted in a call, if the replay may be behind.
    private func giveStates(_ call: BoxLog.Call) {
        hasGap = hasGap || call.followsGap
        guard isBehind else { return }
        for state in box.log.states[call.states] {
            alive[state.schedule]?.schedule?.give(
                state: state.words, frame: state.frame, toNode: state.node,
                processor: state.processor)
        }
    }

    /// Gives the nodes the parts of their sound that they have noted at the end of a call, if the
    /// replay may be behind.
    private func giveSounds(_ call: BoxLog.Call) {
        guard isBehind else { return }
        for sound in box.log.sounds[call.sounds] {
            alive[sound.schedule]?.schedule?.give(
                sound: box.log.soundSamples[sound.samples],
                at: (sound.address, sound.secondAddress),
                toNode: sound.node, processor: sound.processor)
        }
    }

    /// Sends the commands of a piece.
    ///
    /// - Returns: The index of the first command that belongs to a later piece.
    private func send(from first: Int, to end: Int, until frame: UInt64) throws(BoxError) -> Int {
        var index = first
        while index < end, box.log.commands[index].frame <= frame {
            let command = box.log.commands[index].command
            if let manner = command.manner {
                try hand(over: command.frame, manner, at: frame)
            } else if let command = command.command {
                _ = engine.send(command)
            }
            index += 1
        }
        return index
    }

    // MARK: Schedules

    /// Prepares the schedules that were prepared before a frame, as soon as the one before them is
    /// handed over.
    private func prepareSchedules(before frame: UInt64) throws(BoxError) {
        guard prepared.isEmpty, let next = waiting.first, let recipe = recipes[next],
            recipe.origin != .new, recipe.preparedFrame <= frame
        else { return }
        waiting.removeFirst()
        prepared[next] = try prepare(recipe)
    }

    private func prepare(_ recipe: ScheduleRecipe) throws(BoxError) -> Schedule {
        do throws(PreparationError) {
            return try Schedule(
                replaying: recipe, catalogue: catalogue, format: format, after: schedule)
        } catch {
            throw BoxError(error.message)
        }
    }

    private func hand(
        over number: UInt64, _ manner: Command.Exchange, at frame: UInt64
    ) throws(BoxError) {
        // Schedules that were never handed over are skipped.
        waiting.removeAll { $0 <= number }
        let next: Schedule
        if let ready = prepared[number] {
            next = ready
        } else if let recipe = recipes[number] {
            next = try prepare(recipe)
        } else {
            // No call that needs a missing schedule is played.
            return
        }
        prepared = [:]
        next.beginRepeating()
        guard engine.exchange(next, manner) else {
            throw BoxError("there are too many commands in one call")
        }
        schedule = next
        incoming.append(next)
        alive = alive.filter { $0.value.schedule != nil }
        alive[number] = AliveSchedule(next)
    }

    // MARK: Reports

    /// Receives the reports of the engine, which state when it runs another schedule.
    private func receiveReports() {
        while let report = engine.nextReport() {
            if case .exchanged = report, !incoming.isEmpty { running = incoming.removeFirst() }
        }
    }

    /// Notes the plugins that have failed.
    private func receiveFailures(_ call: BoxLog.Call) {
        while let found = engine.nextIncident() {
            guard case .abandoned(let reason) = found.incident,
                let plugin = plugin(ofNode: found.node)
            else { continue }
            comparison.add(
                PluginFailure(
                    node: found.node, plugin: plugin, frame: call.frame, reason: reason))
        }
    }

    /// Returns the URI of the plugin of a node, which may already be removed and ring out.
    private func plugin(ofNode id: String) -> String? {
        let schedules = [schedule, running] + alive.values.compactMap { $0.schedule }
        return schedules.flatMap(\.pipeline.nodes).filter { $0.id == id }
            .compactMap(\.pluginURI).first
    }
}

/// A schedule that lives as long as the engine, or the replay itself, needs it.
private struct AliveSchedule {
    weak var schedule: Schedule?

    init(_ schedule: Schedule) { self.schedule = schedule }
}

extension Pipeline.Node {
    /// The URI of the plugin that the node plays; `nil` if it plays none.
    fileprivate var pluginURI: String? {
        if case .plugin(let uri) = type, !isStandIn { uri } else { nil }
    }
}
