public import Show
internal import Synchronization
internal import Threads

/// A show that plays in a session: gets the values that the session kept, and gives them when it is saved.
public final class ManagedShow: Sendable {
    private let client: SessionClient
    private let desk: any Desk
    private let play: Play
    private let state: Mutex<State>

    /// Has a file played in the place of what plays, as a JACK client of a name; to be called on any thread.
    ///
    /// The function that it is given is called once: with nil where the file plays, before `Notice.structure` is told,
    /// otherwise with the reason, a sentence without its full stop, and what played plays on.
    public typealias Play =
        @Sendable (
            _ path: String, _ clientName: String, _ done: @escaping @Sendable (String?) -> Void
        ) -> Void

    private struct State {
        var part: SessionPart
        var file: SessionFile
        /// Whether another session was open before, from which the night goes on.
        var isLater = false
        /// The night's tempo then, where a song might bring another.
        var tempo: Value?
        /// What the values of the session wait for; nil once they are back.
        var pause: Pause?

        /// The requests that give the values back once the song plays.
        var requestsAfterSong: [Request] {
            let values = file.values.filter {
                $0.address != "song" && !(isLater && SessionFile.isOfNight($0.address))
            }
            let nightTempo = tempo.map { [Request.set("tempo", $0)] } ?? []
            return values.map { .set($0.address, $0.value) } + nightTempo
        }
    }

    /// What happens before the values of a session are back.
    private enum Pause: Equatable {
        /// What is to play in the place of what plays is prepared.
        case opening
        /// Another file is about to be played, until a time at most.
        case file(untilSeconds: Double)
        /// Likewise a song.
        case song(untilSeconds: Double)
        /// They are on their way.
        case values
    }

    /// Until when a file or a song may be prepared; values that come before it are of the one before.
    private static var patienceEndSeconds: Double { MonotonicTime.nowSeconds + 5 }

    /// Gives a show the values of its session, says then that it plays, and does from there on what the session wants.
    ///
    /// A value whose address is not there any more is left out.
    ///
    /// - Parameters:
    ///   - client: It has joined.
    ///   - part: What came of that.
    ///   - file: What was opened for the part.
    ///   - desk: The show, which plays; the managed show is its listener.
    ///   - play: Has another file played in its place.
    /// - Throws: `SessionRefusal` where the system has no thread left.
    public init(
        client: SessionClient, part: SessionPart, file: SessionFile, desk: any Desk,
        play: @escaping Play
    ) throws(SessionRefusal) {
        self.client = client
        self.desk = desk
        self.play = play
        state = Mutex(State(part: part, file: file, pause: .values))
        desk.listen { [weak self] in self?.hear($0) }
        restoreSong()
        try client.follow { [weak self] order in self?.take(order) }
    }

    deinit { desk.listen(nil) }

    // MARK: Restoring

    /// Goes to the session's song: the other values are the song's.
    private func restoreSong() {
        let song = state.withLock { state in
            state.pause = .song(untilSeconds: Self.patienceEndSeconds)
            return state.file.song
        }
        guard let song else { return restoreValues() }
        desk.ask(.set("song", song)) { [weak self] answer in
            // It is not in the setlist any more.
            if case .refused = answer { self?.restoreValues() }
        }
        desk.ask(.get("song")) { [weak self] answer in
            if answer == .values([.init("song", song)]) { self?.restoreValues() }
        }
    }

    private func restoreValues() {
        let requests: [Request] = state.withLock { state in
            guard case .song = state.pause else { return [] }
            state.pause = .values
            return state.requestsAfterSong + [.dump]
        }
        for request in requests.dropLast() { desk.ask(request) { _ in } }
        // The show answers in the order of the requests: after this one all values are back.
        for request in requests.suffix(1) { desk.ask(request) { [weak self] _ in self?.begin() } }
    }

    private func begin() {
        let part = state.withLock { state in
            state.pause = nil
            return state.part
        }
        client.answer(.open(part))
    }

    // MARK: Notices

    private func hear(_ notice: Notice) {
        switch (state.withLock(\.pause), notice) {
        case (.file, .structure): restoreSong()
        case (.song, .changed(let entry)) where entry.address == "song": restoreValues()
        // Levels and load are told all the time.
        case (.file(let end), _) where end < MonotonicTime.nowSeconds: restoreSong()
        case (.song(let end), _) where end < MonotonicTime.nowSeconds: restoreValues()
        case (nil, .changed(let entry)), (.opening, .changed(let entry)):
            if SessionFile.keeps(entry.address) { client.tell(isDirty: true) }
        default: break
        }
    }

    // MARK: Orders

    private func take(_ order: SessionOrder) {
        switch order {
        case .open(let part): change(to: part)
        case .save: desk.ask(.dump) { [weak self] answer in self?.save(answer) }
        }
    }

    /// Goes over to another session while it plays.
    private func change(to new: SessionPart) {
        let isFree = state.withLock { state in
            guard state.pause == nil else { return false }
            state.pause = .opening
            return true
        }
        guard isFree else {
            return client.answer(.open(new), fault: "a session is being opened already")
        }
        do {
            let file = try SessionFile.opened(new, given: nil)
            play(file.path(inFolder: new.folder), new.clientID) { [weak self] fault in
                if let fault { self?.stay(fault, new) } else { self?.begin(new, file) }
            }
        } catch { stay(error.description, new) }
    }

    /// Goes on in the session that there is.
    private func stay(_ fault: String, _ new: SessionPart) {
        state.withLock { $0.pause = nil }
        client.answer(.open(new), fault: fault)
    }

    /// Is in another session from now on, whose values are still to be given.
    private func begin(_ part: SessionPart, _ file: SessionFile) {
        let pause = Pause.file(untilSeconds: Self.patienceEndSeconds)
        state.withLock { $0 = State(part: part, file: file, isLater: true, pause: pause) }
        desk.ask(.get("tempo")) { [weak self] answer in
            guard case .values(let entries) = answer else { return }
            self?.state.withLock { $0.tempo = entries.first?.value }
        }
    }

    private func save(_ answer: Answer) {
        guard state.withLock({ $0.pause != .opening }) else {
            return client.answer(.save, fault: "another session is being opened")
        }
        guard case .values(let entries) = answer else {
            return client.answer(.save, fault: "the show does not say its values")
        }
        let (file, part) = state.withLock { state in
            // What is not back yet is not to be lost.
            if state.pause == nil { state.file.keep(entries) }
            return (state.file, state.part)
        }
        do {
            try file.write(inFolder: part.folder)
            client.answer(.save)
        } catch { client.answer(.save, fault: error.description) }
    }
}
