internal import CRealtime
internal import Engine
internal import Pipelines

/// Performs actions, which need no value: those of requests, and those of MIDI bindings that depend
/// on the state of the session.
///
/// Only the session's thread uses it.
final class SessionActions {
    private let current: CurrentSong
    private let master: MasterSection
    private let songs: SongSelection
    private let scenes: SceneSwitches
    private let transitions: ScheduleTransitions
    private let runner: TransitionRunner
    private let fileEdits: FileEditRequests
    private let events: EventStream
    private let boxRequests: BoxRequests
    private let hasBox: Bool
    private var sceneCycles = SceneCycles()

    /// Creates a part of a session.
    ///
    /// - Parameters:
    ///   - current: The current song, for its playback and its live values.
    ///   - master: The master section, for taps and mute.
    ///   - songs: Selects songs and cues.
    ///   - scenes: Applies scenes.
    ///   - transitions: Begins a panic.
    ///   - runner: Provides the state that scenes are applied to.
    ///   - fileEdits: Saves values, and undoes saves.
    ///   - events: Sends refusals of MIDI bindings to watchers.
    ///   - boxRequests: Requests boxes of the last minutes.
    ///   - hasBox: Whether a black box follows the engine, which can be written.
    init(
        current: CurrentSong, master: MasterSection, songs: SongSelection, scenes: SceneSwitches,
        transitions: ScheduleTransitions, runner: TransitionRunner, fileEdits: FileEditRequests,
        events: EventStream, boxRequests: BoxRequests, hasBox: Bool
    ) {
        self.boxRequests = boxRequests
        self.hasBox = hasBox
        self.current = current
        self.master = master
        self.songs = songs
        self.scenes = scenes
        self.transitions = transitions
        self.runner = runner
        self.fileEdits = fileEdits
        self.events = events
    }

    // MARK: Actions

    /// Performs an action.
    ///
    /// - Parameters:
    ///   - command: The action.
    ///   - origin: The origin of the request.
    ///   - later: Receives the final answer if the first one is `Answer.preparing` or
    ///     `Answer.pending`.
    /// - Returns: The answer.
    @discardableResult
    func perform(
        _ command: SessionCommand, from origin: RequestOrigin = .here,
        _ later: ((Answer) -> Void)? = nil
    ) -> Answer {
        switch command {
        case .tap where master.followsClock: return MasterSection.clockRefusal
        case .tap: master.tap(atNanoseconds: rt_nanoseconds())
        case .panic: if transitions.panic() { events.publish(.panic) }
        case .fadeAll: current.stop(.fade(seconds: PlaybackStop.usualSeconds))
        case .stopAll: current.stop(.now)
        case .nextScene: scenes.step(by: 1, runner.context)
        case .previousScene: scenes.step(by: -1, runner.context)
        case .nextSong: return songs.stepSong(by: 1, later)
        case .previousSong: return songs.stepSong(by: -1, later)
        case .go: return songs.stepCue(by: 1, later)
        case .back: return songs.stepCue(by: -1, later)
        case .save: return fileEdits.save(into: .file, from: origin, later)
        case .saveScene: return fileEdits.save(into: .currentScene, from: origin, later)
        case .undo: return fileEdits.order(.undo, later)
        case .redo: return fileEdits.order(.redo, later)
        case .compare: return compare(from: origin)
        case .keep where !hasBox:
            return .refused(
                "there is no black box: it is off (--box 0), or run has reported why it has none",
                suggestion: nil)
        case .keep: return boxRequests.order(later)
        }
        return .done
    }

    private func compare(from origin: RequestOrigin) -> Answer {
        guard let sounding = current.compare(from: origin) else {
            return .refused(
                "nothing to compare: all values are as in the file", suggestion: nil)
        }
        return .compared(sounding)
    }

    // MARK: MIDI bindings

    /// Performs the action of a MIDI binding.
    ///
    /// - Parameter index: The index of the action in `Pipeline.Binding.Command.allCases`; any other
    ///   number is ignored.
    func perform(boundCommand index: Int) {
        let all = Pipeline.Binding.Command.allCases
        guard all.indices.contains(index) else { return }
        switch all[index] {
        case .nextScene: perform(.nextScene)
        case .previousScene: perform(.previousScene)
        case .nextSong: perform(.nextSong)
        case .previousSong: perform(.previousSong)
        case .tapTempo: perform(.tap)
        case .panic: perform(.panic)
        case .fadeAll: perform(.fadeAll)
        case .stopAll: perform(.stopAll)
        case .mute: master.setMute(!master.isMuted)
        case .go: perform(.go)
        case .back: perform(.back)
        case .save: performUnanswered(.save)
        case .saveScene: performUnanswered(.saveScene)
        case .undo: performUnanswered(.undo)
        case .redo: performUnanswered(.redo)
        case .compare: performUnanswered(.compare)
        }
    }

    /// Performs an action, and publishes the reason if it is refused.
    private func performUnanswered(_ command: SessionCommand) {
        guard case .refused(let reason, _) = perform(command) else { return }
        events.publish(.fileEditRefused(reason: reason))
    }

    /// Performs a step of a MIDI binding that depends on the current scene or song.
    ///
    /// - Parameters:
    ///   - index: The index of the binding; any other number is ignored.
    ///   - pipeline: The pipeline that the engine plays.
    func perform(stepOfBinding index: Int, in pipeline: Pipeline) {
        let step = sceneCycles.step(ofBinding: index, in: pipeline, scene: current.list.scene)
        switch step {
        case .scene(let name)?: scenes.call(named: name, runner.context)
        case .scenes(let steps)?: scenes.step(by: steps, wraps: true, runner.context)
        case .songs(let direction)?: songs.stepSong(by: direction, wraps: true)
        case nil: break
        }
    }
}
