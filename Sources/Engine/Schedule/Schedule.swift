internal import CRealtime
public import Pipelines
public import Processing
internal import Realtime
internal import Synchronization

/// A plan with its prepared processors and buffers, which the engine runs.
///
/// It is created and freed off the audio thread.
public final class Schedule: @unchecked Sendable {
    // SAFETY: after initialization, only the audio thread changes the memory behind the pointers.
    // The control side reads the constant properties, and frees the schedule only after the engine
    // has released it.

    /// The pipeline that the schedule runs.
    public let pipeline: Pipeline
    /// The steps of a cycle, and their latencies.
    public let plan: Plan
    /// The engine ports that contain the schedule's inputs and outputs.
    public let ports: EnginePorts
    /// The total number of channels of the pipeline's audio inputs.
    public let inputChannels: Int
    /// The nodes that could not be prepared and have stand-ins; set before the schedule is handed
    /// to another thread.
    package var problems: [Problem] = []
    /// The channels of each audio output, and whether the output has a limiter.
    public let outputGroups: [OutputGroup]
    /// Whether parts of the previous schedule ring out or fade in this one.
    public let isTransition: Bool
    /// How the schedule was prepared; changed before it is handed over.
    public private(set) var recipe: ScheduleRecipe
    let core: UnsafeMutablePointer<ScheduleCore>
    /// The number of frames that the engine had rendered after the last cycle of the schedule; 0
    /// before its first cycle, and if nothing captures the engine.
    let playedFrame: Buffer<Atomic<UInt64>>
    /// The active-node marker of each runner.
    let activeNodes: Buffer<ActiveNodeMarker>
    /// The number of unfinished predecessors of each task.
    private let waiting: Buffer<Atomic<Int32>>
    /// The nodes that can give way, by index, and whether their variants are prepared.
    private let reducibleNodes: [Int]
    private let readyVariants: Buffer<Atomic<Bool>>
    private let arena: Arena
    /// The pipeline's own nodes, then those that ring out.
    let instances: [NodeInstance]
    private let bindings: Bindings
    private let lines: [AlignmentLine.Path: AlignmentLine]
    /// The nodes that are prepared for scenes.
    public let variants: NodeVariants
    /// The changed settings of nodes that the previous schedule runs too.
    private let changes: [any SettingsChange]
    /// The pipeline, followed by the parts that ring out or fade.
    private let whole: Pipeline

    /// The channels of one output.
    public struct OutputGroup: Sendable, Equatable {
        /// The number of channels.
        public var channels: Int
        /// Whether the safety limiter guards the channels.
        public var hasLimiter: Bool
    }

    /// Prepares a pipeline: creates its processors, plans it, and allocates its memory.
    ///
    /// The scene that is selected at load, if there is one, applies from the first frame.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline to run.
    ///   - catalogue: The catalogue that the pipeline was checked with.
    ///   - format: The sample rate, and the maximum number of frames per cycle.
    ///   - ports: The engine ports, which must include the pipeline's signals; `nil` for ports
    ///     with only these signals.
    ///   - costs: The time of each node in a cycle in ns, in the pipeline's order; empty if it is not
    ///     known. Only a schedule for several cores depends on it.
    /// - Throws: `PreparationError` if a plugin does not load, or if there is too little memory.
    public convenience init(
        preparing pipeline: Pipeline, catalogue: Catalogue, format: AudioFormat,
        ports: EnginePorts? = nil, costs: [Double] = []
    ) throws(PreparationError) {
        let pipeline = pipeline.atLoad
        let ports = ports ?? EnginePorts(pipeline) ?? EnginePorts()
        try self.init(
            Splice(of: pipeline), catalogue, format,
            ScheduleRecipe(.new, pipeline, ports: ports), after: nil, costs: costs)
    }

    /// Prepares a pipeline with other settings and values, only from prepared nodes.
    ///
    /// A prepared node runs, rings out, or is one of `variants`. `nil` if a node is not prepared.
    /// It takes no longer than planning, so the session's thread may call it. The schedule must be
    /// handed to `Engine.exchange` with `splice`, as the next schedule after `old`.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline to run, with the values that new nodes should have.
    ///   - changes: The changes of values; nodes that continue change when the crossfade begins.
    ///   - ports: The engine ports, which must include the signals of the pipeline.
    ///   - old: The current schedule.
    ///   - hasSettled: Whether everything that rang out in `old` has ended.
    public convenience init?(
        switching pipeline: Pipeline, changes: [Pipeline.Change], ports: EnginePorts,
        after old: Schedule, hasSettled: Bool
    ) {
        // Without a catalogue, no node follows a change of its settings, which could take long.
        let noTypes = Catalogue(effects: [], plugins: NoPlugins(), memory: .unlimited)
        do {
            try self.init(
                splicing: pipeline, changes: changes, noTypes, ports: ports, after: old,
                hasSettled: hasSettled, onlyPrepared: true)
        } catch {
            return nil
        }
    }

    /// Prepares a pipeline that replaces another: unchanged nodes keep their processors and their
    /// state, new nodes fade in, and removed nodes ring out through their former connections.
    ///
    /// The values of unchanged nodes are not modified. A node whose effect follows the change of its
    /// settings continues too; it uses the new settings from the exchange on. The schedule must be
    /// handed to `Engine.exchange` with `splice`, as the next schedule after `old`.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline to run.
    ///   - catalogue: The catalogue that the pipeline was checked with.
    ///   - ports: The engine ports, which must include the signals of both pipelines.
    ///   - old: The current schedule.
    ///   - hasSettled: Whether everything that rang out in `old` has ended.
    /// - Throws: `PreparationError` if a plugin does not load, if a file cannot be read, or if there
    ///   is too little memory.
    public convenience init(
        preparing pipeline: Pipeline, catalogue: Catalogue, ports: EnginePorts, after old: Schedule,
        hasSettled: Bool
    ) throws(PreparationError) {
        try self.init(
            splicing: pipeline, changes: [], catalogue, ports: ports, after: old,
            hasSettled: hasSettled, onlyPrepared: false)
    }

    /// Prepares another song that has the same outer level as the current one.
    ///
    /// The outer nodes continue, the nodes of the current song ring out, and the nodes of the new
    /// song begin. It takes no longer than planning, so the session's thread may call it. The
    /// schedule must be handed to `Engine.exchange` with `outerSong`, as the next schedule after
    /// `old`.
    ///
    /// - Parameters:
    ///   - song: The prepared nodes of the song; they belong to the schedule from now on.
    ///   - ports: The engine ports, which must include the signals of the pipelines.
    ///   - old: The current schedule.
    /// - Throws: `PreparationError` if an outer node cannot continue.
    public convenience init(
        beginning song: PreparedSong, ports: EnginePorts, after old: Schedule
    ) throws(PreparationError) {
        guard let pipeline = song.pipeline.continuingOuterNodes(of: old.pipeline) else {
            throw PreparationError(
                node: "", plugin: "", cause: PluginError("the setlist has been edited"))
        }
        let leaving = old.instances.indices.dropFirst(old.plan.nodes.count)
        let ended = leaving.filter { !old.isTransition || old.instances[$0].claim[0].isOver }
        let noTypes = Catalogue(effects: [], plugins: NoPlugins(), memory: .unlimited)
        let splice = Splice(
            of: pipeline, after: old.whole, ownCount: old.plan.nodes.count, old.plan.wires,
            without: Set(ended), givingUp: Set(leaving), catalogue: noTypes, isSongChange: true)
        var recipe = ScheduleRecipe(.song, pipeline, ports: ports)
        recipe.ended = Set(ended)
        recipe.keepsSettings = true
        try self.init(
            splice, noTypes, old.plan.format, recipe, after: old, onlyPrepared: true, song: song)
        problems =
            song.problems
            + old.problems.filter { problem in
                problem.node.map { id in
                    pipeline.nodes.dropFirst(pipeline.songNodeCount).contains { $0.id == id }
                } ?? false
            }
    }

    private convenience init(
        splicing pipeline: Pipeline, changes: [Pipeline.Change], _ catalogue: Catalogue,
        ports: EnginePorts, after old: Schedule, hasSettled: Bool, onlyPrepared: Bool
    ) throws(PreparationError) {
        let leaving = old.instances.indices.dropFirst(old.plan.nodes.count)
        // Nodes that ring out may end at any moment, unless they are held.
        let held = hasSettled ? [] : leaving.filter { old.instances[$0].claim[0].hold() }
        let ended = leaving.filter { hasSettled || old.instances[$0].claim[0].isOver }
        let splice = Splice(
            of: pipeline, after: hasSettled ? old.pipeline : old.whole,
            ownCount: old.plan.nodes.count, old.plan.wires,
            without: Set(ended), givingUp: Set(leaving).subtracting(held), catalogue: catalogue)
        var recipe = ScheduleRecipe(.splice, pipeline, ports: ports)
        recipe.changes = changes
        (recipe.ended, recipe.held) = (Set(ended), Set(held))
        (recipe.hasSettled, recipe.keepsSettings) = (hasSettled, onlyPrepared)
        try self.init(splice, catalogue, recipe, after: old, onlyPrepared: onlyPrepared)
    }

    /// Prepares a splice, and releases the nodes that are held and leave all the same.
    private convenience init(
        _ splice: Splice, _ catalogue: Catalogue, _ recipe: ScheduleRecipe, after old: Schedule,
        onlyPrepared: Bool
    ) throws(PreparationError) {
        let released = splice.leavingFormerIndices
        for index in recipe.held where released.contains(index) {
            old.instances[index].claim[0].release()
        }
        do {
            try self.init(
                splice, catalogue, old.plan.format, recipe, after: old, onlyPrepared: onlyPrepared)
        } catch {
            for index in recipe.held { old.instances[index].claim[0].release() }
            throw error
        }
    }

    /// Prepares a schedule again that has played without a predecessor.
    convenience init(
        first recipe: ScheduleRecipe, _ catalogue: Catalogue, _ format: AudioFormat
    ) throws(PreparationError) {
        try self.init(Splice(of: recipe.pipeline), catalogue, format, recipe, after: nil)
    }

    /// Prepares a schedule again that has replaced another one.
    convenience init(
        repeating recipe: ScheduleRecipe, _ catalogue: Catalogue, after old: Schedule
    ) throws(PreparationError) {
        let leaving = Set(old.instances.indices.dropFirst(old.plan.nodes.count))
        var recipe = recipe
        recipe.ended.formIntersection(leaving)
        recipe.held.formIntersection(leaving)
        for index in recipe.held { _ = old.instances[index].claim[0].hold() }
        let isSong = recipe.origin == .song
        let splice = Splice(
            of: recipe.pipeline, after: recipe.hasSettled ? old.pipeline : old.whole,
            ownCount: old.plan.nodes.count, old.plan.wires, without: recipe.ended,
            givingUp: isSong ? leaving : leaving.subtracting(recipe.held),
            catalogue: recipe.keepsSettings
                ? Catalogue(effects: [], plugins: NoPlugins(), memory: .unlimited) : catalogue,
            isSongChange: isSong)
        try self.init(splice, catalogue, recipe, after: old, onlyPrepared: false)
    }

    private init(
        _ splice: Splice, _ catalogue: Catalogue, _ format: AudioFormat,
        _ recipe: ScheduleRecipe, after old: Schedule?,
        onlyPrepared: Bool = false, song: PreparedSong? = nil, costs: [Double] = []
    ) throws(PreparationError) {
        let (pipeline, ports) = (recipe.pipeline, recipe.ports)
        self.pipeline = pipeline
        self.ports = ports
        var created = recipe.created
        variants = song?.variants ?? old?.variants ?? NodeVariants()
        whole = splice.pipeline
        let formerNodes = splice.formerIndices.map { former in
            former.flatMap { old?.whole.nodes[$0] }
        }
        try MemoryNeed(
            of: zip(whole.nodes, formerNodes).map { MemoryNeed.Change($0, from: $1) },
            in: whole, catalogue: catalogue, format: format
        ).check(against: catalogue.memory, isEdit: old != nil)
        var (instances, changes) = ([NodeInstance](), [any SettingsChange]())
        var (seeds, files) = ([Int: [UInt64]](), [OpenedFile]())
        for (index, node) in whole.nodes.enumerated() {
            if let old, let former = splice.formerIndices[index] {
                instances.append(old.instances[former])
                guard old.whole.nodes[former].playedSettings != node.playedSettings else {
                    continue
                }
                files += node.openedFiles(format)
                changes += try old.instances[former].prepareChanges(
                    to: node, recipe.replacedFiles, format: format, tempo: pipeline.tempo)
                continue
            } else if let instance = song?.instance(ofNode: index) {
                instances.append(instance)
                created[index] = song?.pipeline.nodes[index]
            } else if let variant = variants.pop(node) {
                instances.append(variant.instance)
                created[index] = variant.preparedFor
            } else if onlyPrepared {
                throw PreparationError(
                    node: node.id, plugin: node.type.name,
                    cause: PluginError("it is not prepared"))
            } else {
                // A replay prepares a node as it was prepared before it played.
                let node = created[index] ?? node
                let prepared = try PreparedNode(
                    node, catalogue: catalogue, format: format, tempo: pipeline.tempo,
                    seeds: recipe.seeds[index] ?? [], replacedFiles: recipe.replacedFiles)
                instances.append(NodeInstance(prepared, node, format: format))
            }
            files += instances[index].files
        }
        for (index, instance) in instances.enumerated() {
            let own = instance.processors.map { $0.arrivals?.seed ?? 0 }
            if own.contains(where: { $0 > 0 }) { seeds[index] = own }
        }
        (self.instances, self.changes) = (instances, changes)
        for (instance, cost) in zip(instances, costs) { instance.note(cost) }
        plan = Plan(
            splice, latencies: instances.map(\.latencyFrames), format: format,
            costs: instances.knownCosts)
        isTransition =
            instances.count > splice.nodeCount
            || plan.steps.contains { if case .blend = $0 { true } else { false } }
            || whole.outputs.count > splice.outputCount
        inputChannels = pipeline.inputs.map(\.channels).reduce(0, +)
        outputGroups = pipeline.outputs.filter { $0.kind == .audio }.map {
            OutputGroup(channels: $0.channels, hasLimiter: $0.hasLimiter)
        }
        arena = Arena()
        activeNodes = Buffer(count: plan.tasks == nil ? 1 : RunnerState.most) { _ in
            ActiveNodeMarker()
        }
        waiting = Buffer(count: plan.tasks?.tasks.count ?? 0) { _ in Atomic(0) }
        reducibleNodes = pipeline.reductionOrder.filter { !pipeline.nodes[$0].isReduced }
        readyVariants = Buffer(count: reducibleNodes.count) { _ in Atomic(false) }
        let firstReady = readyVariants.start
        var layout = ScheduleLayout(
            plan, splice, instances, ports: ports, activeNode: activeNodes.start,
            runnerCount: activeNodes.count, waiting: waiting.start,
            reducible: reducibleNodes.enumerated().map { index, node in
                ReducibleNode(
                    node: Int32(node),
                    saving: pipeline.nodes[node].whenLate?.isBypass == true
                        ? 1 : ReductionRule.savingBySettings,
                    isReady: UnsafePointer(firstReady + index))
            },
            formerLines: old?.lines ?? [:],
            entry: EntryValues(
                pipeline, changes: recipe.changes, instances: instances,
                continues: splice.formerIndices.prefix(splice.nodeCount).map { former in
                    old == nil || former.map { $0 < old?.plan.nodes.count ?? 0 } ?? false
                }), arena: arena)
        bindings = Bindings(
            pipeline, ports: ports, sampleRate: format.sampleRate)
        core = layout.makeCore(bindings.table)
        playedFrame = Buffer(containing: Atomic(0))
        core.pointee.playedFrame = playedFrame.start
        lines = layout.lines
        self.recipe = recipe
        (self.recipe.created, self.recipe.seeds) = (created, seeds)
        self.recipe.files = files
        self.recipe.preparedFrame = old?.playedFrame[0].load(ordering: .relaxed) ?? 0
        self.recipe.maximumFrames = format.maximumBlockFrames
        self.recipe.sampleRate = format.sampleRate
        noteReadyVariants()
        if old == nil { begin(withScene: pipeline.initialScene) }
    }

    /// Lets the audio thread halt the nodes whose variants are prepared, and no others.
    ///
    /// Call it after variants were prepared; not on the audio thread.
    public func noteReadyVariants() {
        for (index, node) in reducibleNodes.enumerated() {
            var reduced = pipeline.nodes[node]
            reduced.isReduced = true
            readyVariants[index].store(
                reduced.isPaused || variants.isPrepared(reduced), ordering: .relaxed)
        }
    }

    /// Notes the mean time of a node in a cycle, in ns, for the plan of the next schedule.
    public func noteCost(ofNode node: Int, nanoseconds: Double) {
        if instances.indices.contains(node) { instances[node].note(nanoseconds) }
    }

    // MARK: Scenes

    /// States the scene in effect when the schedule becomes active, so that the next one follows it.
    ///
    /// Call it before the schedule is handed over. A new schedule begins with the initial scene of
    /// its pipeline; one that replaces another with `splice` does not change the scene. The changes
    /// at its crossfade take the times that the scene states for them.
    ///
    /// - Parameter index: The index of the scene; `nil` for none.
    public func begin(withScene index: Int?) {
        recipe.firstScene = index.map { .scene($0) } ?? .none
        core.pointee.firstScene = index.map { .scene(Int32($0)) } ?? .noScene
        if let index { core.pointee.useFadesAtCrossfade(ofScene: index) }
        startLevel(withScene: index)
    }

    /// Starts the level of the song at the gain of a scene, without the scene itself.
    ///
    /// Call it before the schedule is handed over. A schedule that replaces another one with
    /// `splice` continues with its level instead.
    ///
    /// - Parameter index: The index of the scene; `nil` for none.
    package func startLevel(withScene index: Int?) {
        let scene = index.map { core.pointee.scenes[$0] }
        core.pointee.levels.own.pointee.start(
            atDecibels: scene?.gainDecibels ?? 0, sceneKey: scene?.key ?? 0)
    }

    /// Makes the schedule send the messages of scenes in its first frame, in order, if it replaces
    /// another one with `splice`.
    ///
    /// Call it before the schedule is handed over.
    ///
    /// - Parameter indices: The indices of the scenes.
    public func sendMessages(ofScenes indices: [Int]) {
        recipe.sentScenes = indices
        core.pointee.sentScenes = UnsafePointer(arena.copy(indices.map { Int32(clamping: $0) }))
        core.pointee.sentSceneCount = indices.count
    }

    /// States that the schedule continues with the scene in effect: a scene that should follow it
    /// still does.
    ///
    /// Call it before the schedule is handed over.
    public func keepScene() {
        recipe.firstScene = .kept
        core.pointee.firstScene = .unchanged
    }

    /// Returns the time from the beginning of a scene to the one that follows it, in frames.
    public static func frames(ofFollow seconds: Double, sampleRate: Double) -> Int {
        Int(SceneFollow.frames(seconds: seconds, sampleRate: sampleRate))
    }

    /// Makes the nodes of the previous schedule use their new settings; not on the audio thread.
    ///
    /// Call it when the schedule is certain to replace the previous one.
    func commitChanges() { for change in changes { change.commit() } }

    /// Returns the oldest unread incident of a node.
    public func nextIncident() -> NodeIncident? {
        for (node, instance) in zip(whole.nodes, instances) {
            for processor in instance.processors {
                guard let incident = processor.incidents?.next() else { continue }
                return NodeIncident(node: node.id, label: node.description.label, incident)
            }
        }
        return nil
    }

    /// The ids of all nodes: the pipeline's, then those that ring out.
    public var nodeIDs: [String] { whole.nodes.map(\.id) }

    /// Returns the processors of a node, given by its index; for calls from the control side only.
    public func processors(ofNode node: Int) -> [Processor] { instances[node].processors }

    /// The total number of channels of the pipeline's audio outputs.
    public var outputChannels: Int { outputGroups.map(\.channels).reduce(0, +) }

    /// Returns whether the last output of a node was NaN or infinity, and the node is silenced or
    /// ramps up again; only for a caller that renders on its own thread.
    public func isFailing(node: Int) -> Bool {
        !core.pointee.nodes[node].pointee.recovery.isResting
    }

    /// Returns the time that the node took in the last cycle, in processor ticks; see `TickRate`.
    ///
    /// It is 0 for a node that has rung out. Only for a caller that renders on its own thread, such
    /// as a benchmark.
    public func lastTicks(ofNode node: Int) -> UInt64 {
        let hasEnded =
            node >= plan.nodes.count && core.pointee.nodes[node].pointee.removal.hasEnded
        return hasEnded ? 0 : core.pointee.nodes[node].pointee.measurement.ticks
    }
}
