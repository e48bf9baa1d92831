internal import Control
internal import Glibc
internal import SessionCore

/// The request of a session manager at the start of the program.
struct ManagedSession {
    let client: SessionClient
    let part: SessionPart
    let file: SessionFile

    /// Whether the environment names a session manager.
    static var isWanted: Bool { url != nil }

    private static var url: String? {
        getenv("NSM_URL").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The path of the current file.
    var path: String { file.path(inFolder: part.folder) }
    /// The name that the JACK client must have.
    var clientName: String { part.clientID }

    /// Joins the session of the manager that `NSM_URL` names.
    ///
    /// Call it before the program uses JACK.
    ///
    /// - Parameter given: The file of the command line, for a session without a saved file.
    /// - Returns: The request; `nil` if the environment names no manager.
    /// - Throws: `Failure`.
    static func join(given: String?) throws -> ManagedSession? {
        guard let url else { return nil }
        guard let manager = Endpoint(sessionURL: url) else {
            throw Failure("NSM_URL is not the address of a session manager: \(url)", .unavailable)
        }
        do {
            let client = try SessionClient(of: manager)
            let part = try client.join(executable: executable)
            do {
                return ManagedSession(
                    client: client, part: part, file: try SessionFile.opened(part, given: given))
            } catch {
                client.answer(.open(part), error: error.description)
                throw Failure(error.description, .unreadableFile)
            }
        } catch let error as SocketError {
            throw Failure("\(error)", .unavailable)
        } catch let refusal as SessionRefusal {
            throw Failure("\(refusal)", .unavailable)
        }
    }

    /// Restores the saved values, and carries out further requests while the result exists.
    ///
    /// - Parameters:
    ///   - control: The control of the current session.
    ///   - play: Plays another file.
    /// - Returns: The object that carries out requests.
    /// - Throws: `Failure` if the system has no thread left.
    func follow(
        _ control: any SessionControl, play: @escaping ManagerRequestHandler.Play
    ) throws -> ManagerRequestHandler {
        do {
            return try ManagerRequestHandler(
                client: client, part: part, file: file, control: control, play: play)
        } catch { throw Failure("\(error)", .unavailable) }
    }

    /// Reports to the manager that the file cannot be played.
    func refuse() {
        client.answer(.open(part), error: "\(path) cannot be played")
    }

    /// The program's file name, with which a manager starts it again.
    private static var executable: String {
        CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "stompline"
    }
}
