public import SessionCore
internal import Synchronization
internal import Platform

/// Carries out the orders of a session manager: restores saved values, saves them, and opens other
/// files.
public final class ManagerRequestHandler: Sendable {
    private let client: SessionClient
    private let control: any SessionControl
    private let play: Play
    private let state: Mutex<State>

    /// Plays another file instead of the current one, as a JACK client with a name; called on any
    /// thread.
    ///
    /// It calls `done` once. If the file plays, the argument is `nil`, and the call precedes
    /// `SessionEvent.addressesChanged`. Otherwise the argument is the reason, a sentence without
    /// its full stop, and the current file continues to play.
    public typealias Play =
        @Sendable (
            _ path: String, _ clientName: String, _ done: @escaping @Sendable (String?) -> Void
        ) -> Void

    private struct State {
        var part: SessionPart
        var file: SessionFile
        /// Whether another file was open before, whose master section is kept.
        var isLater = false
        /// The tempo when the file was opened, because a song may set another tempo.
        var tempo: Value?
        /// The current step of restoring; `nil` once all values are restored.
        var restoring: Restoring?

        /// The requests that restore the values once the song plays.
        var requestsAfterSong: [SessionRequest] {
            let values = file.values.filter {
                $0.address != "song" && !(isLater && SessionFile.isMasterValue($0.address))
            }
            let previousTempo = tempo.map { [SessionRequest.set("tempo", $0)] } ?? []
            return values.map { .set($0.address, $0.value) } + previousTempo
        }
    }

    /// The steps until the values of a file are restored.
    private enum Restoring: Equatable {
        /// Another file is being prepared.
        case opening
        /// Another file is about to play; the wait ends at this time.
        case file(untilSeconds: Double)
        /// The saved song is about to play; the wait ends at this time.
        case song(untilSeconds: Double)
        /// The session is setting the values.
        case values
    }

    /// The end of the wait for a file or a song, in seconds; values that arrive earlier belong to
    /// the previous one.
    private static var deadlineSeconds: Double { MonotonicTime.nowSeconds + 5 }

    /// Restores the saved values, then reports that the file plays, and carries out further orders.
    ///
    /// A value whose address no longer exists is ignored.
    ///
    /// - Parameters:
    ///   - client: The client of the session manager; it has joined.
    ///   - part: The part that the manager has ordered to open.
    ///   - file: The file that was opened for the part.
    ///   - control: The current session, whose events this object watches.
    ///   - play: Plays another file.
    /// - Throws: `SessionRefusal` if the system has no thread left.
    public init(
        client: SessionClient, part: SessionPart, file: SessionFile, control: any SessionControl,
        play: @escaping Play
    ) throws(SessionRefusal) {
        self.client = client
        self.control = control
        self.play = play
        state = Mutex(State(part: part, file: file, restoring: .values))
        control.watch { [weak self] in self?.receive($0) }
        restoreSong()
        try client.follow { [weak self] order in self?.carryOut(order) }
    }

    deinit { control.watch(nil) }

    // MARK: Restoring

    /// Starts the saved song, because the other values belong to it.
    private func restoreSong() {
        let song = state.withLock { state in
            state.restoring = .song(untilSeconds: Self.deadlineSeconds)
            return state.file.song
        }
        guard let song else { return restoreValues() }
        control.ask(.set("song", song)) { [weak self] answer in
            // The setlist no longer contains the song.
            if case .refused = answer { self?.restoreValues() }
        }
        control.ask(.get("song")) { [weak self] answer in
            if answer == .values([.init("song", song)]) { self?.restoreValues() }
        }
    }

    private func restoreValues() {
        let requests: [SessionRequest] = state.withLock { state in
            guard case .song = state.restoring else { return [] }
            state.restoring = .values
            return state.requestsAfterSong + [.dump]
        }
        for request in requests.dropLast() { control.ask(request) { _ in } }
        // The session answers in the order of the requests: after this one, all values are
        // restored.
        for request in requests.suffix(1) {
            control.ask(request) { [weak self] _ in self?.begin() }
        }
    }

    private func begin() {
        let part = state.withLock { state in
            state.restoring = nil
            return state.part
        }
        client.answer(.open(part))
    }

    // MARK: Events

    private func receive(_ event: SessionEvent) {
        switch (state.withLock(\.restoring), event) {
        case (.file, .addressesChanged): restoreSong()
        case (.song, .valueChanged(let entry)) where entry.address == "song": restoreValues()
        // Levels and loads arrive all the time, so no timer is needed.
        case (.file(let end), _) where end < MonotonicTime.nowSeconds: restoreSong()
        case (.song(let end), _) where end < MonotonicTime.nowSeconds: restoreValues()
        case (nil, .valueChanged(let entry)), (.opening, .valueChanged(let entry)):
            if SessionFile.keeps(entry.address) { client.report(isDirty: true) }
        default: break
        }
    }

    // MARK: Orders

    private func carryOut(_ order: ManagerRequest) {
        switch order {
        case .open(let part): open(part)
        case .save: control.ask(.dump) { [weak self] answer in self?.save(answer) }
        }
    }

    /// Opens another part while the current one plays.
    private func open(_ part: SessionPart) {
        let isFree = state.withLock { state in
            guard state.restoring == nil else { return false }
            state.restoring = .opening
            return true
        }
        guard isFree else {
            return client.answer(.open(part), error: "another session is already being opened")
        }
        do {
            let file = try SessionFile.opened(part, given: nil)
            play(file.path(inFolder: part.folder), part.clientID) { [weak self] error in
                if let error { self?.refuse(part, error) } else { self?.begin(part, file) }
            }
        } catch { refuse(part, error.description) }
    }

    /// Continues with the current part.
    private func refuse(_ part: SessionPart, _ reason: String) {
        state.withLock { $0.restoring = nil }
        client.answer(.open(part), error: reason)
    }

    /// Continues with another part, whose values are still to be restored.
    private func begin(_ part: SessionPart, _ file: SessionFile) {
        let step = Restoring.file(untilSeconds: Self.deadlineSeconds)
        state.withLock { $0 = State(part: part, file: file, isLater: true, restoring: step) }
        control.ask(.get("tempo")) { [weak self] answer in
            guard case .values(let entries) = answer else { return }
            self?.state.withLock { $0.tempo = entries.first?.value }
        }
    }

    private func save(_ answer: Answer) {
        guard state.withLock({ $0.restoring != .opening }) else {
            return client.answer(.save, error: "another session is being opened")
        }
        guard case .values(let entries) = answer else {
            return client.answer(.save, error: "the session did not report its values")
        }
        let (file, part) = state.withLock { state in
            // Saved values that are not restored yet must not be lost.
            if state.restoring == nil { state.file.keep(entries) }
            return (state.file, state.part)
        }
        do {
            try file.write(inFolder: part.folder)
            client.answer(.save)
        } catch { client.answer(.save, error: error.description) }
    }
}
