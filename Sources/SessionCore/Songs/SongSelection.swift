internal import Engine
internal import Pipelines

/// Selects songs and cues: those that a request names, and those next to the current one.
///
/// Songs that cannot play are skipped, and reported. Only the session's thread uses it.
final class SongSelection {
    private let current: CurrentSong
    private let pool: SchedulePool
    private let transitions: ScheduleTransitions
    private let runner: TransitionRunner
    private let requests: SongRequests
    private let cues: CueList
    private let scenes: SceneSwitches
    private let problems: ProblemReporter

    /// Creates a part of a session.
    ///
    /// - Parameters:
    ///   - current: The current song, among all songs.
    ///   - pool: Contains the active schedule.
    ///   - transitions: Contains the requested song.
    ///   - runner: Makes requested songs active.
    ///   - requests: Answers the requests for songs.
    ///   - cues: The scenes of all songs as cues.
    ///   - scenes: Applies the scene of a cue.
    ///   - problems: Reports the songs that are skipped.
    init(
        current: CurrentSong, pool: SchedulePool, transitions: ScheduleTransitions,
        runner: TransitionRunner, requests: SongRequests, cues: CueList, scenes: SceneSwitches,
        problems: ProblemReporter
    ) {
        self.current = current
        self.pool = pool
        self.transitions = transitions
        self.runner = runner
        self.requests = requests
        self.cues = cues
        self.scenes = scenes
        self.problems = problems
    }

    /// Requests a song; if it is ready, it begins with the next cycle.
    ///
    /// An earlier request that is not answered yet gets the same answer.
    ///
    /// - Parameters:
    ///   - index: The index of the song.
    ///   - cue: The cue to call when the song begins; `nil` for the scene that the song begins with.
    ///   - later: Receives the final answer.
    /// - Returns: The answer.
    @discardableResult
    func select(
        song index: Int, cue: CueList.Entry? = nil, _ later: SongRequests.Receiver? = nil
    ) -> Answer {
        cues.awaitCue(cue, ofSong: index)
        if index != current.list.index, let refusal = problems.publishSkip(of: songs[index]) {
            return .refused(refusal, suggestion: nil)
        }
        if requests.request(song: index) { runner.beginRequestedSong(index) }
        return requests.answer(forSong: index, later)
    }

    /// Requests the next or the previous song that can play; at the end of the list, the last one
    /// remains.
    ///
    /// - Parameters:
    ///   - direction: 1 for the next song, -1 for the previous one.
    ///   - wraps: Whether the list continues at its other end.
    ///   - later: Receives the final answer.
    /// - Returns: The answer.
    @discardableResult
    func stepSong(
        by direction: Int, wraps: Bool = false, _ later: SongRequests.Receiver? = nil
    ) -> Answer {
        let start = transitions.requestedSong ?? current.list.index
        let (next, skipped) = current.list.step(from: start, by: direction, wraps: wraps)
        for index in skipped { _ = problems.publishSkip(of: songs[index]) }
        return select(song: next ?? start, later)
    }

    /// Calls the next or the previous cue, in this song or the one next to it.
    ///
    /// - Parameters:
    ///   - direction: 1 for the next cue, -1 for the previous one.
    ///   - later: Receives the final answer if the cue is in another song.
    /// - Returns: The answer.
    func stepCue(by direction: Int, _ later: SongRequests.Receiver?) -> Answer {
        if let requested = transitions.requestedSong {
            return .refused(
                "\"\(songs[requested].name)\" is being prepared; its first cue is not ready",
                suggestion: nil)
        }
        switch cues.step(by: direction, in: pool.active.pipeline.scenes) {
        case .scene(let index): scenes.call(index, runner.context)
        case .song(let index, let entry, let skipped):
            for song in skipped { _ = problems.publishSkip(of: songs[song]) }
            return select(song: index, cue: entry, later)
        case .end(let reason): return .refused(reason, suggestion: nil)
        }
        return .done
    }

    private var songs: [Song] { current.list.songs }
}
