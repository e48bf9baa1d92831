internal import Control
internal import Glibc
internal import Show
internal import Synchronization

/// Our part in a session of New Session Manager, where the program was started by one.
final class ManagedSession: Sendable {
    private let client: SessionClient
    private let part: Mutex<SessionPart>
    /// The name that the JACK client must have.
    let clientName: String

    /// Where the session manager is; nil where none has started us.
    static var address: Endpoint? {
        guard let text = getenv("NSM_URL").map({ String(cString: $0) }), !text.isEmpty else {
            return nil
        }
        return Endpoint(sessionURL: text)
    }

    private init(_ client: SessionClient, _ part: SessionPart) {
        self.client = client
        self.part = Mutex(part)
        clientName = part.clientID
    }

    /// Announces us where there is a session manager, and waits for what it opens.
    ///
    /// - Throws: `Failure` where it does not answer or does not want us.
    static func join() throws -> ManagedSession? {
        guard let address else { return nil }
        do {
            let client = try SessionClient(of: address)
            return ManagedSession(client, try client.join(executable: "stompline"))
        } catch { throw Failure("\(error)", .unavailable) }
    }

    /// The file that is to be played.
    ///
    /// - Parameter given: The one of the command line, taken at the first time.
    /// - Throws: `Failure` where the session's folder is of no use.
    func open(given: String?) throws -> String {
        let part = part.withLock { $0 }
        do {
            return try SessionFile.opened(part, given: given).path(inFolder: part.folder)
        } catch {
            client.answer(.open(part), fault: error.description)
            throw Failure(error.description, .unreadableFile)
        }
    }

    /// Says that what was asked for plays.
    func hasOpened() { client.answer(.open(part.withLock { $0 })) }

    /// Carries out what the manager wants from now on, and gives the session's values back.
    ///
    /// - Parameters:
    ///   - desk: What plays.
    ///   - play: Plays another file; why not, where it does not.
    /// - Throws: `Failure` where the system has no thread left.
    func follow(_ desk: any Desk, play: @escaping @Sendable (String) -> String?) throws {
        restore(desk)
        desk.listen { [client] notice in
            if case .changed = notice { client.tell(isDirty: true) }
        }
        do {
            try client.follow { [weak self] order in
                switch order {
                case .save: self?.save(desk)
                case .open(let part): self?.change(to: part, desk, play)
                }
            }
        } catch { throw Failure("\(error)", .unavailable) }
    }

    /// Gives the values back that the session keeps.
    private func restore(_ desk: any Desk) {
        let folder = part.withLock(\.folder)
        guard let file = try? SessionFile.read(inFolder: folder) else { return }
        for request in file.requests { desk.ask(request) { _ in } }
    }

    /// Goes over to another session while playing.
    private func change(
        to new: SessionPart, _ desk: any Desk, _ play: @Sendable (String) -> String?
    ) {
        guard new.clientID == clientName else {
            // The ports of a client that plays cannot be given another client's name.
            return client.answer(
                .open(new), fault: "in JACK the client is named \(clientName), not \(new.clientID)")
        }
        do {
            let path = try SessionFile.opened(new, given: nil).path(inFolder: new.folder)
            let fault = play(path)
            if fault == nil {
                part.withLock { $0 = new }
                restore(desk)
            }
            client.answer(.open(new), fault: fault)
        } catch { client.answer(.open(new), fault: error.description) }
    }

    private func save(_ desk: any Desk) {
        let folder = part.withLock(\.folder)
        desk.ask(.dump) { [client] answer in
            guard case .values(let entries) = answer,
                var file = try? SessionFile.read(inFolder: folder)
            else { return client.answer(.save, fault: "there is nothing to be saved") }
            file.keep(entries)
            do throws(SessionFileFault) {
                try file.write(inFolder: folder)
                client.answer(.save)
                client.tell(isDirty: false)
            } catch { client.answer(.save, fault: error.description) }
        }
    }
}
