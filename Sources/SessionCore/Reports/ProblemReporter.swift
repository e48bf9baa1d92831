internal import Pipelines

/// Publishes the tolerated errors when they change, and the songs that cannot play.
final class ProblemReporter {
    private let events: EventStream
    /// The errors that watchers know.
    private var published: [Problem] = []

    init(events: EventStream) {
        self.events = events
    }

    /// Publishes the tolerated errors if they have changed since the last call.
    func publish(_ problems: [Problem]) {
        guard problems != published else { return }
        published = problems
        events.publish(.problems(problems))
        events.publish("problems", .text(ProblemSummary.text(of: problems)))
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
