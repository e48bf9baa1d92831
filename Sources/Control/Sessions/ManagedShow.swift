public import Show
internal import Synchronization

/// A show that plays in a session: gets the values that the session kept, and gives them when it is saved.
public final class ManagedShow: Sendable {
    private let client: SessionClient
    private let part: SessionPart
    private let desk: any Desk
    private let state: Mutex<State>

    private struct State {
        var file: SessionFile
        /// Whether values of the session are still on their way to the show.
        var isRestoring = true
    }

    /// Gives a show the values of its session, says then that it plays, and does from there on what the session wants.
    ///
    /// A value whose address is not there any more is left out.
    ///
    /// - Parameters:
    ///   - client: It has joined.
    ///   - part: What came of that.
    ///   - file: What was opened for the part.
    ///   - desk: The show, which plays. Its notices are to be handed to `hear`.
    /// - Throws: `SessionRefusal` where the system has no thread left.
    public init(
        client: SessionClient, part: SessionPart, file: SessionFile, desk: any Desk
    ) throws(SessionRefusal) {
        self.client = client
        self.part = part
        self.desk = desk
        state = Mutex(State(file: file))
        for request in file.requests { desk.ask(request) { _ in } }
        // The show answers in the order of the requests: after this one all values are back.
        desk.ask(.dump) { [weak self] _ in self?.begin() }
        try client.follow { [weak self] order in self?.take(order) }
    }

    /// Notes what the show tells.
    public func hear(_ notice: Notice) {
        guard case .changed = notice, !state.withLock(\.isRestoring) else { return }
        client.tell(isDirty: true)
    }

    private func begin() {
        state.withLock { $0.isRestoring = false }
        client.answer(.open(part))
    }

    private func take(_ order: SessionOrder) {
        switch order {
        case .open: client.answer(order, fault: "it has to be started anew for another session")
        case .save:
            desk.ask(.dump) { [weak self] answer in self?.save(answer) }
        }
    }

    private func save(_ answer: Answer) {
        guard case .values(let entries) = answer else {
            return client.answer(.save, fault: "the show does not say its values")
        }
        let file = state.withLock { state in
            state.file.keep(entries)
            return state.file
        }
        do {
            try file.write(inFolder: part.folder)
            client.answer(.save)
        } catch { client.answer(.save, fault: error.description) }
    }
}
