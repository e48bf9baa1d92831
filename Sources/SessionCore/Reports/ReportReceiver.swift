internal import Engine
internal import Pipelines
internal import Processing

/// Updates the parts of a session from the engine's reports.
///
/// Only the session's thread uses it.
final class ReportReceiver {
    private let current: CurrentSong
    private let pool: SchedulePool
    private let transitions: ScheduleTransitions
    private let runner: TransitionRunner
    private let reports: ReportPublisher
    private let scenes: SceneSwitches
    private let songs: SongSelection
    private let actions: SessionActions
    private let master: MasterSection
    private let events: EventStream
    /// The sample rate that the tuner was created for.
    private let tunerRate: Double

    /// Creates a receiver for the reports of one engine.
    ///
    /// - Parameters:
    ///   - current: The current song; it stores the values that the engine has moved.
    ///   - pool: Contains the active schedule.
    ///   - transitions: Waits for the engine at some steps of a transition.
    ///   - runner: Follows exchanges of schedules.
    ///   - reports: Publishes levels, loads and incidents.
    ///   - scenes: Applies the scenes that bindings request.
    ///   - songs: Selects the songs that bindings request.
    ///   - actions: Performs the actions that bindings request.
    ///   - master: The master section; it follows a MIDI clock, and learns controls.
    ///   - events: Sends pitches and learned controls to watchers.
    ///   - tunerRate: The sample rate that the tuner was created for, in Hz.
    init(
        current: CurrentSong, pool: SchedulePool, transitions: ScheduleTransitions,
        runner: TransitionRunner, reports: ReportPublisher, scenes: SceneSwitches,
        songs: SongSelection, actions: SessionActions, master: MasterSection, events: EventStream,
        tunerRate: Double
    ) {
        self.current = current
        self.pool = pool
        self.transitions = transitions
        self.runner = runner
        self.reports = reports
        self.scenes = scenes
        self.songs = songs
        self.actions = actions
        self.master = master
        self.events = events
        self.tunerRate = tunerRate
    }

    /// Handles a report.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - countsOverruns: Whether overruns count.
    /// - Returns: The notice for the host, if it concerns the host's server.
    func receive(_ report: Report, countsOverruns: Bool) -> Session.HostNotice? {
        transitions.receive(report)
        reports.publish(report, countsOverruns: countsOverruns)
        let reported = reports.active.pipeline
        switch report {
        case .exchanged: return runner.followExchange().map { .scheduleActive($0) }
        case .faded: return .faded
        case .boundValueChanged(BoundChange.master, let target, let value):
            master.adoptBound(target, value)
        case .boundValueChanged(let node, let target, let value):
            if let change = current.receiveMove(
                node: node, target: target, value: value, in: reported)
            {
                scenes.note(change)
            }
        case .fading(let node, let target, let value, let goal, let isOver):
            current.followFade(
                node: node, target: target, value: value, goal: goal, isOver: isOver,
                in: reported)
        // A scene of the former song, which the engine applied before it began the current one, is
        // not in effect any more.
        case .sceneApplied(let index)
        where runner.hasSongBegun && reported.scenes.indices.contains(Int(index)):
            current.follow(reported.scenes[Int(index)], of: reported)
            scenes.noteApplied(reported.scenes[Int(index)].name)
        case .sceneRequested(let index)
        where runner.hasSongBegun && reported.scenes.indices.contains(Int(index)):
            scenes.call(named: reported.scenes[Int(index)].name, runner.context)
        case .songRequested(let index) where current.list.songs.indices.contains(Int(index)):
            songs.select(song: Int(index))
        case .commandRequested(let index): actions.perform(boundCommand: Int(index))
        case .stepRequested(let binding):
            actions.perform(stepOfBinding: Int(binding), in: reported)
        case .learned(let control): bind(control)
        case .clock(let tempo, let isPresent): master.followClock(tempo, isPresent: isPresent)
        case .monitorValue(_, let hertz):
            let rate = pool.active.plan.format.sampleRate
            events.publish(.pitch(hertz: Double(hertz) * rate / tunerRate))
        default: break
        }
        return nil
    }

    /// Announces that a moved control should be bound: to an address or a scene in the song's file,
    /// and to anything else in the setlist's file if there is one.
    private func bind(_ control: LearnedControl) {
        guard let address = master.learnedAddress else { return }
        var trigger = control.trigger(runner.ports)
        let target = LearnedTarget(address)
        // A wheel cannot call a scene, so the next control may.
        if target.needsPresses, !trigger.hasPresses { return master.learn(address) }
        _ = master.finishLearning()
        let pipeline = current.pipeline
        let isOuter =
            if case .success(let found) = pipeline.address(address) {
                pipeline.isOuter(node: found.node)
            } else { false }
        let isForAllSongs =
            (!target.belongsToSong || isOuter) && !current.list.setlistPath.isEmpty
        // A setlist knows no inputs but its own.
        let inputs = pipeline.outer.map { $0.inputs.map { pipeline.inputs[$0].name } } ?? []
        if isForAllSongs, trigger.port != "control", !inputs.contains(trigger.port ?? "") {
            trigger.port = nil
        }
        let path = isForAllSongs ? current.list.setlistPath : current.song.path
        events.publish(.learned(address: address, trigger, path: path))
    }
}
