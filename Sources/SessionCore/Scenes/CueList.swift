internal import Pipelines
internal import Platform

/// The scenes of all songs as a list of cues, which `go` and `back` step through.
final class CueList {
    private let current: CurrentSong
    private let events: EventStream
    private var announced = CueState()
    /// The cue to call when a requested song begins.
    private var awaited: (song: Int, entry: Entry)?

    /// The cue of a song at which `go` or `back` enters it.
    enum Entry {
        /// The scene at load, or the first one of the list.
        case first
        case last
    }

    /// A step to the next or the previous cue.
    enum Step {
        /// A scene of the current song, by its index.
        case scene(Int)
        /// Another song, and the indices of the songs before it that cannot play.
        case song(Int, Entry, skipped: [Int])
        /// There is no such cue, for the given reason.
        case end(String)
    }

    /// Creates the cues of a session.
    ///
    /// - Parameters:
    ///   - current: The current song, among all songs.
    ///   - events: Sends changes to watchers.
    init(current: CurrentSong, events: EventStream) {
        self.current = current
        self.events = events
    }

    // MARK: Steps

    /// Returns the step to the next or the previous cue.
    ///
    /// - Parameters:
    ///   - direction: 1 for the next cue, -1 for the previous one.
    ///   - scenes: The scenes of the active pipeline.
    /// - Returns: The step.
    func step(by direction: Int, in scenes: [Pipeline.Scene]) -> Step {
        let list = current.list
        let present = scenes.firstIndex { $0.name == list.scene }
        // Before the first cue of a song, there is no previous one in the song.
        let next = present.map { $0 + direction } ?? (direction > 0 ? 0 : -1)
        if scenes.indices.contains(next) { return .scene(next) }
        let (song, skipped) = list.step(from: list.index, by: direction)
        if let song { return .song(song, direction > 0 ? .first : .last, skipped: skipped) }
        return .end(direction > 0 ? "this is the last cue" : "this is the first cue")
    }

    /// Remembers the cue to call when a requested song begins; call it for every request.
    ///
    /// - Parameters:
    ///   - entry: The cue; `nil` for the scene that the song begins with.
    ///   - song: The index of the song.
    func awaitCue(_ entry: Entry?, ofSong song: Int) { awaited = entry.map { (song, $0) } }

    /// Returns the cue to call in a song that has begun, if `go` or `back` requested the song.
    ///
    /// - Parameters:
    ///   - song: The index of the song.
    ///   - pipeline: The active pipeline.
    /// - Returns: The index of the scene; `nil` for none. A second call returns `nil`.
    func awaitedCue(ofSong song: Int, _ pipeline: Pipeline) -> Int? {
        guard let (awaitedSong, entry) = awaited else { return nil }
        awaited = nil
        guard song == awaitedSong, let scene = Self.scene(at: entry, of: current.pipeline)
        else { return nil }
        return pipeline.scenes.firstIndex { $0.name == scene.name }
    }

    private static func scene(at entry: Entry, of pipeline: Pipeline) -> Pipeline.Scene? {
        switch entry {
        case .first: pipeline.initialScene.map { pipeline.scenes[$0] } ?? pipeline.scenes.first
        case .last: pipeline.scenes.last
        }
    }

    // MARK: Announcements

    /// Publishes the cue in effect and the next one if they have changed since the last call.
    func announce() {
        let state = state
        guard state != announced else { return }
        let former = announced.entries
        announced = state
        events.publish(.cue(state))
        for (entry, old) in zip(state.entries, former) where entry != old {
            events.publish(.valueChanged(entry))
        }
    }

    /// Makes the next call of `announce` publish the cues, for new watchers.
    func forgetAnnouncement() { announced = CueState() }

    /// The addresses of the cues with their values; nothing without cues.
    var entries: [AddressValue] {
        let state = state
        return state == CueState() ? [] : state.entries
    }

    /// The cues; none if the current song is not a cue list.
    private var state: CueState {
        let pipeline = current.pipeline
        guard pipeline.scenes.contains(where: { !$0.cue.isEmpty }) else { return CueState() }
        let scene = pipeline.scenes.first { $0.name == current.list.scene }
        return CueState(
            current: scene.map { Cue($0) }, next: next(in: pipeline),
            follow: scene?.cue.follow.map { Self.text(of: $0, in: pipeline) })
    }

    private func next(in pipeline: Pipeline) -> Cue? {
        switch step(by: 1, in: pipeline.scenes) {
        case .scene(let index): return Cue(pipeline.scenes[index])
        case .song(let index, let entry, _):
            let song = current.list.songs[index]
            return Cue(Self.scene(at: entry, of: song.pipeline), song: song.name)
        case .end: return nil
        }
    }

    private static func text(of follow: Pipeline.Follow, in pipeline: Pipeline) -> String {
        let start =
            switch follow.start {
            case .after(let seconds): "after \(seconds.plain) s"
            case .endOfNode(let node): "at the end of \(pipeline.nodes[node].id)"
            }
        return "\(pipeline.scenes[follow.scene].name) \(start)"
    }
}
