internal import Engine
internal import Pipelines
internal import Processing

/// Runs the transitions of a session: starts preparations, and updates the other parts of the
/// session when another schedule is active.
///
/// It owns the engine ports, which every schedule is prepared for. Only the session's thread uses
/// it.
final class TransitionRunner {
    private let transitions: ScheduleTransitions
    private let pool: SchedulePool
    private let current: CurrentSong
    private let scenes: SceneSwitches
    private let cues: CueList
    private let songRequests: SongRequests
    private let problems: ProblemReporter
    private let reports: ReportPublisher
    private let events: EventStream
    /// The number of schedules that the engine must still begin to play until it plays the current
    /// song.
    private var exchangesBeforeSong = 0

    /// The engine ports.
    private(set) var ports: EnginePorts

    /// Called when the engine ports change, before a schedule with other ports becomes active.
    var onPortsChange: ((EnginePorts) -> Void)?

    /// Creates a runner that starts from the active schedule.
    ///
    /// - Parameters:
    ///   - transitions: Prepares schedules and makes them active.
    ///   - pool: Contains the active schedule.
    ///   - ports: The engine ports that it was prepared for.
    ///   - current: The current song; it follows the active schedule.
    ///   - scenes: Applies the scenes that wait for an exchange.
    ///   - cues: Remembers the cue to call in a new song.
    ///   - songRequests: Answers the requests for songs.
    ///   - problems: Announces the tolerated errors of the active schedule.
    ///   - reports: Uses the engine ports for levels.
    ///   - events: Sends changes to watchers.
    init(
        _ transitions: ScheduleTransitions, from pool: SchedulePool, ports: EnginePorts,
        current: CurrentSong, scenes: SceneSwitches, cues: CueList, songRequests: SongRequests,
        problems: ProblemReporter, reports: ReportPublisher, events: EventStream
    ) {
        self.transitions = transitions
        self.pool = pool
        self.ports = ports
        self.current = current
        self.scenes = scenes
        self.cues = cues
        self.songRequests = songRequests
        self.problems = problems
        self.reports = reports
        self.events = events
    }

    /// The state of the session that schedules are prepared for.
    var context: ScheduleTransitions.Context {
        .init(songs: current.list, values: current.values, ports: ports)
    }

    /// Whether the engine has begun to play the current song.
    var hasSongBegun: Bool { exchangesBeforeSong == 0 }

    // MARK: Progress

    /// Uses the result of a preparation, applies waiting scenes, and starts the next preparation.
    func advance() {
        if let outcome = transitions.useResult(context) {
            apply(outcome)
            if case .failed = outcome {} else { playRequestedSong() }
        }
        pool.removeFinished()
        scenes.proceed(context)
        prepareNext()
    }

    /// Starts the most urgent preparation, unless one is in progress.
    func prepareNext() {
        if let outcome = transitions.prepareNext(context) { apply(outcome) }
    }

    /// Makes a requested song active if it is ready, and prepares it otherwise.
    ///
    /// - Parameter index: The index of the requested song.
    func beginRequestedSong(_ index: Int) {
        if pool.readySong(index) != nil { playRequestedSong() } else { prepareNext() }
    }

    private func playRequestedSong() {
        if let outcome = transitions.playRequestedSong(context) { apply(outcome) }
    }

    /// Notes that the engine has begun to play another schedule.
    ///
    /// - Returns: The schedule; `nil` if no activation is pending.
    func followExchange() -> ActiveSchedule? {
        guard let schedule = pool.nextAnnounced() else { return nil }
        exchangesBeforeSong = max(0, exchangesBeforeSong - 1)
        reports.follow(schedule)
        current.forgetFades()
        return schedule
    }

    /// Uses other engine ports from now on.
    func use(_ newPorts: EnginePorts) {
        guard newPorts != ports else { return }
        ports = newPorts
        reports.follow(newPorts)
        onPortsChange?(newPorts)
    }

    // MARK: Outcomes

    private func apply(_ outcome: ScheduleTransitions.Outcome) {
        switch outcome {
        case .unchanged: break
        case .song(let index): begin(index)
        case .edit(let pipeline, let valuesAtRequest):
            current.follow(pipeline, valuesAtRequest: valuesAtRequest)
            scenes.followEdit()
            problems.announce()
            transitions.confirmEdit(values: current.values.snapshot)
            events.publish(.addressesChanged)
            finishEdit()
        case .restart(let pipeline, let valuesAtRequest, let isEdit):
            current.restart(with: pipeline, valuesAtRequest: valuesAtRequest)
            scenes.followEdit()
            if isEdit { events.publish(.addressesChanged) }
            problems.announce()
            finishEdit()
        case .settled:
            var needed = ports
            // The files may have been edited since; the active schedule still plays the old
            // version.
            needed.keep(current.list.songs.map(\.pipeline) + [pool.active.pipeline])
            use(needed)
        case .variants(let error):
            problems.announce()
            guard let error else { return }
            scenes.clear()
            events.publish(.preparationFailed(message: error.message))
        case .failed(let error, let song):
            events.publish(.preparationFailed(message: error.message))
            guard let song else {
                if !transitions.hasEdit { current.abandonEdit(error.message) }
                return
            }
            current.markUnpreparable(song)
            songRequests.answerAll(refusing: song, error.message)
        }
    }

    /// Announces the last edit of the file, unless it is still to be prepared.
    private func finishEdit() { if !transitions.hasEdit { current.finishEdit() } }

    /// Makes the song of the active schedule the current one.
    private func begin(_ index: Int) {
        let left = current.list.index
        let pipeline = pool.active.pipeline
        scenes.clear()
        exchangesBeforeSong = pool.unannouncedCount
        current.begin(index, playing: pipeline)
        if let cue = cues.awaitedCue(ofSong: index, pipeline) { scenes.call(cue, context) }
        // A schedule of the song that was left would lack the values that it keeps.
        pool.dropReadySongs(except: current.list.neighbours(of: index).filter { $0 != left })
        songRequests.answerAll()
        problems.announce()
    }
}
