public import Show
internal import Synchronization
internal import Threads

/// A show that plays in a session: gets the values that the session kept, and gives them when it is saved.
public final class ManagedShow: Sendable {
    private let client: SessionClient
    private let desk: any Desk
    private let play: @Sendable (String) -> String?
    private let state: Mutex<State>

    private struct State {
        var part: SessionPart
        var file: SessionFile
        /// What the values of the session wait for; nil once they are back.
        var pause: Pause?
    }

    /// What happens before the values of a session are back.
    private enum Pause {
        /// Another file is being prepared to be played, until a time at most.
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
    ///   - play: Has another file played in its place, on a thread of the session's; says why not, where it does not.
    /// - Throws: `SessionRefusal` where the system has no thread left.
    public init(
        client: SessionClient, part: SessionPart, file: SessionFile, desk: any Desk,
        play: @escaping @Sendable (String) -> String?
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
            return state.file.requests.filter { !$0.isOfSong } + [.dump]
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
        case (nil, .changed(let entry)) where SessionFile.keeps(entry.address):
            client.tell(isDirty: true)
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
        let old = state.withLock { $0 }
        let own = old.part.clientID
        // A client's name in JACK stays as long as it plays.
        guard new.clientID == own else {
            return client.answer(
                .open(new),
                fault: "it is named \(own) in JACK and has to be started anew as \(new.clientID)")
        }
        do {
            let file = try SessionFile.opened(new, given: nil)
            let pause = Pause.file(untilSeconds: Self.patienceEndSeconds)
            state.withLock { $0 = State(part: new, file: file, pause: pause) }
            guard let fault = play(file.path(inFolder: new.folder)) else { return }
            state.withLock { $0 = old }
            client.answer(.open(new), fault: fault)
        } catch { client.answer(.open(new), fault: error.description) }
    }

    private func save(_ answer: Answer) {
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

extension Request {
    fileprivate var isOfSong: Bool {
        if case .set("song", _) = self { true } else { false }
    }
}
