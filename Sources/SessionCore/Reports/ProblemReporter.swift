internal import Engine
internal import Pipelines

/// Publishes the tolerated errors when they change, and the songs that cannot play.
final class ProblemReporter {
    private let current: CurrentSong
    private let pool: SchedulePool
    private let events: EventStream
    /// The errors that watchers know.
    private var published: [Problem] = []

    /// Creates a reporter that has published nothing.
    ///
    /// - Parameters:
    ///   - current: The current song, among all songs.
    ///   - pool: Contains the active schedule.
    ///   - events: Sends the errors to watchers.
    init(current: CurrentSong, pool: SchedulePool, events: EventStream) {
        self.current = current
        self.pool = pool
        self.events = events
    }

    /// The errors that the session tolerates: those of all files, and the nodes of the active
    /// schedule and its scenes that could not be prepared.
    var problems: [Problem] {
        current.list.collection.problems + pool.active.problems
            + pool.active.variantProblems(of: current.song, isSetlist: current.list.isSetlist)
    }

    /// Publishes the tolerated errors if they have changed since the last call.
    func announce() {
        let problems = problems
        guard problems != published else { return }
        published = problems
        events.publish(.problems(problems))
        events.publish(ReadOnlyAddress.problems.rawValue, .text(ProblemSummary.text(of: problems)))
    }

    /// Publishes that a song is skipped, if it cannot play.
    ///
    /// - Returns: The reason, without a full stop; `nil` if the song can play.
    func publishSkip(of song: Song) -> String? {
        guard let reason = song.refusal else { return nil }
        events.publish(.songSkipped(name: song.name, reason: reason))
        return "\"\(song.name)\" cannot play: \(reason)"
    }

    /// Continues for the watchers of a session that this one replaces.
    func adopt(_ former: ProblemReporter) { published = former.published }
}
