internal import Control
internal import Glibc
internal import Show

/// What a session manager wants played, where the environment names one.
struct ManagedSession {
    let client: SessionClient
    let part: SessionPart
    let file: SessionFile

    /// Whether the environment names a session manager.
    static var isWanted: Bool { url != nil }

    private static var url: String? {
        getenv("NSM_URL").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The file that plays.
    var path: String { file.path(inFolder: part.folder) }
    /// The name that the JACK client must have.
    var clientName: String { part.clientID }

    /// Joins the session of `NSM_URL`; to be called before anything of JACK's.
    ///
    /// - Parameter given: The file of the command line, for a session that has none yet.
    /// - Returns: nil where the environment names no manager.
    /// - Throws: `Failure`.
    static func join(given: String?) throws -> ManagedSession? {
        guard let url else { return nil }
        guard let manager = Endpoint(sessionURL: url) else {
            throw Failure("NSM_URL is no address of a session manager: \(url)", .unavailable)
        }
        do {
            let client = try SessionClient(of: manager)
            let part = try client.join(executable: executable)
            do {
                return ManagedSession(
                    client: client, part: part, file: try SessionFile.opened(part, given: given))
            } catch {
                client.answer(.open(part), fault: error.description)
                throw Failure(error.description, .unreadableFile)
            }
        } catch let fault as SocketFault {
            throw Failure("\(fault)", .unavailable)
        } catch let refusal as SessionRefusal {
            throw Failure("\(refusal)", .unavailable)
        }
    }

    /// Has the session's values given back, and what the manager wants done, as long as what comes back is kept.
    ///
    /// - Parameters:
    ///   - desk: What plays.
    ///   - play: Has another file played.
    /// - Returns: The show in the session.
    /// - Throws: `Failure` where the system has no thread left.
    func follow(
        _ desk: any Desk, play: @escaping ManagedShow.Play
    ) throws -> ManagedShow {
        do {
            return try ManagedShow(client: client, part: part, file: file, desk: desk, play: play)
        } catch { throw Failure("\(error)", .unavailable) }
    }

    /// Says that what was to be opened does not play.
    func refuse() {
        client.answer(.open(part), fault: "\(path) does not play")
    }

    /// The program's file name, by which a manager starts it again.
    private static var executable: String {
        CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "stompline"
    }
}
