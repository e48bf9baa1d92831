public import Engine
public import Pipelines
public import Processing

/// Everything that one run plays: songs, scenes, live values, the master section, and the engine
/// that plays them.
///
/// One thread uses a session. It calls `advance` several times per second and whenever `wake` or
/// the bell requests it. Another thread prepares schedules; meanwhile the active one continues to
/// play.
///
/// Each part owns its state: `CurrentSong` the songs and the values, `SongRequests` the requests
/// for songs, `FileEditRequests` the edits of files, `MasterSection` the controls of the whole
/// session, `ScheduleTransitions` the pending schedules, `TransitionRunner` the engine ports,
/// `ReportPublisher` the levels and loads. `SessionActions` performs actions, `EditFollower` follows
/// edited files, `ReportReceiver` handles the engine's reports, `NodeReductions` lets nodes give way
/// while the machine is too slow. The session itself carries out
/// requests and replaces another session.
public final class Session {
    /// The options of a session.
    public struct Options {
        /// Whether the outputs are silent until the engine fades in.
        public var fadesIn = true
        /// Whether the session plays songs whose nodes cannot all be prepared, with stand-ins.
        public var isTolerant = false
        /// Whether a separate thread prepares schedules; for tests and tools, the session's thread
        /// does.
        public var preparesOnThread = true
        /// Whether the engine uses more than one core only while it pays.
        public var usesCoresAutomatically = true
        /// Whether nodes give way by the loads and late cycles that the engine measures; tests simulate
        /// them.
        public var measuresLateness = true
        /// Called when `advance` has work to do, on any thread.
        public var wake: @Sendable () -> Void = {}
        /// A semaphore that the audio thread posts when `advance` has work to do; see `Engine`.
        public var bell: UnsafeMutableRawPointer?
        /// Receives everything that the output depends on.
        public var capture: EngineCapture?

        /// Creates the options for playing live.
        public init() {}
    }

    /// A notice that only the host handles, because it concerns the host's server.
    public enum HostNotice: Sendable {
        /// A fade-out has reached silence.
        case faded
        /// The engine plays another schedule, which may have other latencies.
        case scheduleActive(ActiveSchedule)
    }

    /// The engine that plays the session.
    public let engine: Engine
    private let commands: CommandQueue
    private let events = EventStream()
    private let master: MasterSection
    private let pool: SchedulePool
    private let transitions: ScheduleTransitions
    private let current: CurrentSong
    private let reports: ReportPublisher
    private let spectra: SpectrumMeter
    private let songRequests: SongRequests
    private let songSelection: SongSelection
    private let scenes: SceneSwitches
    private let cues: CueList
    private let actions: SessionActions
    private let fileEdits: FileEditRequests
    private let boxRequests: BoxRequests
    private let problemReporter: ProblemReporter
    private let runner: TransitionRunner
    private let editFollower: EditFollower
    private let reportReceiver: ReportReceiver
    private let coreUse: CoreUse
    private let reductions: NodeReductions
    private let measuresLateness: Bool
    /// The latency from the sound card's input to its output that the nodes know, in frames.
    private var roundTripFrames = 0

    /// Prepares the first song.
    ///
    /// - Parameters:
    ///   - collection: The songs, at least one.
    ///   - start: The song and the scene to begin with.
    ///   - catalogue: The catalogue that the songs were checked with.
    ///   - format: The sample rate and the maximum number of frames per cycle.
    ///   - options: The options of the session.
    /// - Throws: `SessionError` if a plugin cannot be loaded or the songs' inputs and outputs are
    ///   not compatible.
    public init(
        playing collection: SongCollection, from start: StartingPoint = StartingPoint(),
        catalogue: Catalogue, format: AudioFormat, options: Options = Options()
    ) throws(SessionError) {
        let start =
            collection.songs[start.song].isPlayable
            ? start
            : StartingPoint(song: collection.firstPlayable, resumed: start.resumed?.masterOnly)
        let songList = SongList(collection, index: start.song, scene: start.scene)
        let ports = try EnginePorts(of: collection.songs)
        let pipeline = songList.current.pipeline
        let first: Schedule
        do throws(PreparationError) {
            first = try Self.firstSchedule(
                catalogue,
                of: songList,
                pipeline.beginning(withScene: start.scene).resuming(start.resumed),
                isTolerant: options.isTolerant
            ) { (pipeline) throws(PreparationError) in
                try Schedule(
                    preparing: pipeline, catalogue: catalogue, format: format, ports: ports)
            }
        } catch {
            throw .preparation(error)
        }
        first.begin(withScene: songList.sceneIndexInEffect)
        let engine = Engine(
            playing: first, fadingIn: options.fadesIn,
            inputMonitor: InputTuner.processor(catalogue, format: format), bell: options.bell,
            capture: options.capture)
        self.engine = engine
        commands = CommandQueue(for: engine)
        master = MasterSection(
            tempo: start.resumed?.tempo ?? pipeline.tempo, commands: commands, events: events)
        if let resumed = start.resumed {
            master.begin(isMuted: resumed.isMuted, gainDecibels: resumed.gainDecibels)
            engine.begin(isMuted: master.isMuted, gainDecibels: master.gainDecibels)
        }
        current = CurrentSong(
            in: songList, playing: first.pipeline, master: master, engine: engine,
            commands: commands, events: events)
        engine.startSong(scene: songList.sceneIndexInEffect)
        pool = SchedulePool(active: first, engine: engine, commands: commands)
        transitions = ScheduleTransitions(
            from: pool, catalogue: catalogue, format: format,
            preparer: Preparer(isThreaded: options.preparesOnThread, wake: options.wake),
            engine: engine, commands: commands, isTolerant: options.isTolerant)
        reports = ReportPublisher(
            active: ActiveSchedule(first), ports: ports, events: events)
        spectra = SpectrumMeter(
            engine: engine, commands: commands, events: events, sampleRate: format.sampleRate)
        songRequests = SongRequests(current: current, transitions: transitions)
        fileEdits = FileEditRequests(current: current, events: events)
        boxRequests = BoxRequests(events: events)
        problemReporter = ProblemReporter(current: current, pool: pool, events: events)
        scenes = SceneSwitches(current: current, pool: pool, transitions: transitions)
        cues = CueList(current: current, events: events)
        runner = TransitionRunner(
            transitions, from: pool, ports: ports, current: current, scenes: scenes, cues: cues,
            songRequests: songRequests, problems: problemReporter, reports: reports,
            events: events)
        editFollower = EditFollower(
            current: current, pool: pool, transitions: transitions, runner: runner,
            songRequests: songRequests, problems: problemReporter, events: events)
        songSelection = SongSelection(
            current: current, pool: pool, transitions: transitions, runner: runner,
            requests: songRequests, cues: cues, scenes: scenes, problems: problemReporter)
        actions = SessionActions(
            current: current, master: master, songs: songSelection, scenes: scenes,
            transitions: transitions, runner: runner, fileEdits: fileEdits, events: events,
            boxRequests: boxRequests, hasBox: engine.isCaptured)
        reportReceiver = ReportReceiver(
            current: current, pool: pool, transitions: transitions, runner: runner,
            reports: reports, scenes: scenes, songs: songSelection, actions: actions,
            master: master, events: events, tunerRate: format.sampleRate)
        coreUse = CoreUse(
            of: engine, pool: pool, transitions: transitions,
            isAutomatic: options.usesCoresAutomatically)
        measuresLateness = options.measuresLateness
        reductions = NodeReductions(
            current: current, pool: pool, transitions: transitions, reports: reports,
            events: events, commands: commands, leavesOverruns: options.measuresLateness)
    }

    private static func firstSchedule(
        _ catalogue: Catalogue, of songs: SongList, _ pipeline: Pipeline, isTolerant: Bool,
        _ prepare: (Pipeline) throws(PreparationError) -> Schedule
    ) throws(PreparationError) -> Schedule {
        let schedule =
            isTolerant
            ? try TolerantPreparation.schedule(
                of: songs.current, isSetlist: songs.isSetlist, pipeline, prepare)
            : try prepare(pipeline)
        try schedule.prepareVariants(catalogue: catalogue, isTolerant: isTolerant)
        return schedule
    }

    // MARK: State

    /// The name of the pipeline or the setlist.
    public var name: String { current.list.name }
    /// All songs, in order.
    public var songs: [Song] { current.list.songs }
    /// The index of the current song.
    public var song: Int { current.list.index }
    /// The name of the scene in effect; `nil` before the first one.
    public var scene: String? { current.list.scene }
    /// The pipeline of the current song, with the values from its file.
    public var pipeline: Pipeline { current.pipeline }
    /// The schedule that is active, or will be from the next cycle on.
    public var active: Schedule { pool.active }
    /// The engine ports.
    public var ports: EnginePorts { runner.ports }
    /// The plan of the schedule that the engine has begun to play.
    public var reportedPlan: Plan { reports.active.plan }
    /// The number of live schedules: the active one, those that ring out, and the ready songs.
    package var scheduleCount: Int { pool.count }

    /// The state that a later run can continue from.
    public var snapshot: SessionSnapshot {
        SessionSnapshot(
            song: current.song.name, number: song + 1, scene: scene, values: current.movedValues,
            tempo: master.tempo == pipeline.tempo ? nil : master.tempo, isMuted: master.isMuted,
            gainDecibels: master.gainDecibels)
    }

    /// A number that changes whenever the snapshot may have changed.
    public var snapshotRevision: Int { events.revision }

    /// Called when the engine ports change, before a schedule with other ports becomes active.
    public var onPortsChange: ((EnginePorts) -> Void)? {
        get { runner.onPortsChange }
        set { runner.onPortsChange = newValue }
    }

    // MARK: Time

    /// Processes the engine's reports and the results of preparations since the last call, and
    /// starts the next preparation.
    ///
    /// - Parameter countsOverruns: Whether overruns count; `false` if no sound card waits for the
    ///   output.
    /// - Returns: The notices for the host, in order.
    public func advance(countsOverruns: Bool = true) -> [HostNotice] {
        engine.collect()
        engine.haltNodes(measuresLateness && countsOverruns)
        commands.retry()
        var notices: [HostNotice] = []
        while let report = engine.nextReport() {
            let notice = receive(
                report, countsOverruns: countsOverruns, isMeasurement: measuresLateness)
            if let notice { notices.append(notice) }
        }
        reports.publishNodeLevels()
        spectra.advance(
            reports.active.nodeIDs, sampleRate: reports.active.plan.format.sampleRate)
        runner.advance()
        reductions.advance(runner.context, isRealTime: countsOverruns)
        reports.publishIncidents(of: engine)
        reports.publishDueXruns()
        cues.announce()
        return notices
    }

    /// Handles a report of the engine.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - countsOverruns: Whether overruns count.
    ///   - isMeasurement: Whether nodes can give way because of it.
    /// - Returns: The notice for the host, if it concerns the host's server.
    @discardableResult
    package func receive(
        _ report: Report, countsOverruns: Bool = true, isMeasurement: Bool = true
    ) -> HostNotice? {
        coreUse.receive(report, active: reports.active)
        reductions.receiveHalts(report)
        if isMeasurement { reductions.receive(report, countsOverruns: countsOverruns) }
        return reportReceiver.receive(report, countsOverruns: countsOverruns)
    }

    /// Notes whether threads run the engine's workers; without them, the engine uses one core.
    ///
    /// At first, the session assumes that they run.
    public func useWorkers(_ areRunning: Bool) { coreUse.hasWorkers = areRunning }

    /// Prepares new schedules for another format; meanwhile the active one continues to play.
    public func follow(_ format: AudioFormat) {
        if transitions.request(format) { runner.prepareNext() }
    }

    // MARK: Problems

    /// The errors that the session tolerates: those of all files, and the nodes of the active
    /// schedule and its scenes that could not be prepared.
    public var problems: [Problem] { problemReporter.problems }

    /// Publishes the tolerated errors if they have changed since the last call.
    ///
    /// The host calls it once after the session has started.
    public func announceProblems() { problemReporter.announce() }

    // MARK: Files

    /// Applies edited files: remaining nodes continue, new ones fade in, removed ones ring out.
    ///
    /// Values that an edit changes move to the new values. Values that were changed live and are
    /// not edited remain.
    ///
    /// - Parameter edited: All songs after the edit, at least one.
    public func follow(_ edited: SongCollection) { editFollower.follow(edited) }

    /// Applies edited songs of the same file.
    public func follow(_ songs: [Song]) {
        var edited = current.list.collection
        edited.songs = songs
        follow(edited)
    }

    /// Follows the host's edit of a file.
    ///
    /// The live values that the edit concerns remain, so that nothing is heard.
    ///
    /// - Parameters:
    ///   - number: The number of the order. The edit of a session that was replaced is ignored.
    ///   - result: The result of the edit.
    ///   - edited: All songs after the edit; `nil` if they could not be read or are unchanged.
    public func finishFileEdit(
        _ number: Int, _ result: FileEditResult, songs edited: SongCollection?
    ) {
        fileEdits.finish(number, result) { edit in
            edited.map { editFollower.follow($0, keeping: edit.keptAddresses) } ?? .active
        }
    }

    /// Adopts the files that play, with their tags and the history of edits, from the host.
    public func follow(_ files: SessionFiles) { fileEdits.follow(files) }

    // MARK: Session switch

    /// Replaces a session that has stopped: adopts its watchers and its master section.
    ///
    /// Call this before the engine renders any part of this session, and `announceReplacement` when
    /// the session is audible.
    ///
    /// - Parameter former: The replaced session. It loses its watchers and no longer announces its
    ///   engine ports.
    public func replace(_ former: Session) {
        former.refuseWaitingRequests("another session plays now")
        fileEdits.replace(former.fileEdits)
        boxRequests.replace(former.boxRequests)
        events.adoptWatchers(from: former.events)
        former.onPortsChange = nil
        problemReporter.adopt(former.problemReporter)
        reports.adopt(former.reports, ports: ports)
        master.adopt(former.master)
        measureLevels(perSecond: former.levelsPerSecond, ofNodes: former.measuresNodes)
        spectra.watch(former.spectra.nodes)
        engine.begin(isMuted: master.isMuted, gainDecibels: master.gainDecibels)
        if let input = try? addresses.tunerInput(former.master.tunedInput) {
            master.tune(to: input)
        } else {
            master.announceTunerOff()
        }
    }

    /// Announces the songs and addresses of a session that has replaced another one.
    public func announceReplacement() {
        cues.forgetAnnouncement()
        events.publish(.overviewChanged(current.list.overview))
        events.publish(.addressesChanged)
        announceProblems()
        reductions.announceReplacement()
    }

    /// Returns whether songs can be applied like edited ones, next to the current engine ports.
    public func hasRoom(for newSongs: [Song]) -> Bool {
        var common = ports
        return newSongs.allSatisfy { common.add($0.pipeline) }
    }

    /// Applies the songs of another file like edited ones; the tempo remains.
    ///
    /// Watchers receive `.addressesChanged` when the new songs are active.
    public func replaceSongs(with collection: SongCollection) {
        let tempo = master.tempo
        current.forgetStates()
        // A scene of the other file may have the same name.
        commands.send(.cancelFollow)
        follow(collection)
        if master.tempo != tempo { master.setTempo(tempo) }
        // No preparation follows that would announce the addresses.
        if !transitions.hasEdit { events.publish(.addressesChanged) }
    }

    // MARK: Requests

    private var addresses: AddressSpace {
        AddressSpace(
            values: current.values, songs: current.list, ports: ports,
            master: master.entries + cues.entries + ProblemSummary.entries(of: problems)
                + reductions.entries
                + fileEdits.files.history.entries,
            reports: reports.nodeReports, files: fileEdits.files)
    }

    /// Carries out a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - origin: The origin of the request; some nodes refuse requests of other programs.
    ///   - later: Called with the final answer if the first one is `Answer.preparing` or
    ///     `Answer.pending`.
    /// - Returns: The answer.
    public func perform(
        _ request: SessionRequest, from origin: RequestOrigin = .here,
        later: ((Answer) -> Void)? = nil
    ) -> Answer {
        defer { cues.announce() }
        do {
            return perform(
                try addresses.operation(for: request, from: origin), from: origin, later)
        } catch {
            return .refused(error.message, suggestion: error.suggestion)
        }
    }

    private func perform(
        _ operation: AddressSpace.Operation, from origin: RequestOrigin,
        _ later: ((Answer) -> Void)?
    ) -> Answer {
        switch operation {
        case .answer(let entries): return .values(entries)
        case .answerReports(let entries): return .reports(entries)
        case .answerDescription(let description): return .description(description)
        case .measureLevels(let rate, let ofNodes):
            measureLevels(perSecond: rate, ofNodes: ofNodes)
        case .measureSpectra(let nodes): spectra.watch(nodes)
        case .move(let change):
            current.move(change)
            scenes.note(change)
        case .fade(let change, let manner):
            current.fade(change, manner)
            scenes.note(change)
        case .fadeAll(let seconds): current.stop(.fade(seconds: seconds))
        case .scene(let index): scenes.call(index, runner.context)
        case .song(let index): return songSelection.select(song: index, later)
        case .tempo where master.followsClock: return MasterSection.clockRefusal
        case .tempo(let tempo): master.setTempo(tempo)
        case .mute(let isOn): master.setMute(isOn)
        case .gain(let decibels): master.setGain(decibels: decibels)
        case .tune(let input): master.tune(to: input)
        case .learn(let address): master.learn(address)
        case .pressKey(let key): commands.send(.pressKey(key))
        case .edit(let patch): return fileEdits.order(.edit(patch), later)
        case .readFile(let path): return fileEdits.read(path, later)
        case .saveScene(let name): return fileEdits.save(into: .scene(name), from: origin, later)
        case .perform(let command): return actions.perform(command, from: origin, later)
        }
        return .done
    }

    /// Refuses all requests for songs and boxes that are not answered yet.
    ///
    /// - Parameter reason: A sentence without its full stop.
    public func refuseWaitingRequests(_ reason: String) {
        songRequests.refuseAll(reason)
        boxRequests.refuseAll(reason)
    }

    /// Answers a request for a box, which the host has written or could not write.
    ///
    /// - Parameters:
    ///   - number: The number of the request.
    ///   - answer: `Answer.kept`, or the reason why the box was not written.
    public func finishBoxRequest(_ number: Int, _ answer: Answer) {
        boxRequests.finish(number, answer)
    }

    // MARK: Meters

    /// The requested levels per second; 0 for the usual rate.
    private var levelsPerSecond = 0
    /// Whether the levels of nodes are requested.
    private var measuresNodes = false

    /// The longest time between two calls of `advance` that keeps events in time, in seconds.
    public var advanceSeconds: Double { levelsPerSecond == 0 ? 0.08 : 0.016 }

    private func measureLevels(perSecond rate: Int, ofNodes: Bool) {
        levelsPerSecond = rate
        measuresNodes = ofNodes
        commands.send(.levelRate(perSecond: Int32(clamping: rate), ofNodes: ofNodes))
    }

    /// Counts xruns that the server reported, and publishes them soon.
    ///
    /// - Parameters:
    ///   - count: The number of xruns, at least 1.
    ///   - longestMilliseconds: The delay of the longest one, in ms; `nil` if it is not known.
    public func addXruns(_ count: Int, longestMilliseconds: Double? = nil) {
        reports.addXruns(count, longestMilliseconds: longestMilliseconds)
        reductions.addXruns(count)
    }

    /// Publishes a status with the levels, loads and latencies since the last call, and informs the
    /// nodes of a new round trip.
    ///
    /// - Parameter roundTripFrames: The latency from the sound card's input to its output, in
    ///   frames.
    public func publishStatus(roundTripFrames: Int) {
        if self.roundTripFrames != roundTripFrames {
            self.roundTripFrames = roundTripFrames
            commands.send(.roundTrip(frames: Int32(clamping: roundTripFrames)))
        }
        reports.publishStatus(roundTripFrames: roundTripFrames, schedules: pool.count)
    }

    /// Publishes the remaining xruns, and returns the summary of the session at its end.
    ///
    /// - Parameters:
    ///   - reason: The reason for the end.
    ///   - seconds: The time since the first audio cycle, in seconds.
    /// - Returns: The summary.
    public func summary(_ reason: StopReason, seconds: Double) -> SessionSummary {
        reports.summary(reason, seconds: seconds)
    }

    // MARK: Events

    /// Publishes an event of the host.
    public func publish(_ event: SessionEvent) { events.publish(event) }

    /// Adds, replaces or removes a watcher.
    ///
    /// - Parameters:
    ///   - owner: The owner of the watcher; an owner has at most one.
    ///   - watcher: Called with every event, on the session's thread; `nil` removes the current
    ///     one.
    public func watch(
        for owner: ObjectIdentifier, _ watcher: (@Sendable (SessionEvent) -> Void)?
    ) {
        events.watch(for: owner, watcher)
    }
}
