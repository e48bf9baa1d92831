internal import Glibc

/// A JACK server that a client has joined.
///
/// The server may have been started by this program.
public final class JoinedServer {
    private(set) var client: JackClient
    /// The client's name, as assigned by the server.
    private(set) var clientName: String
    /// The requested name if a server has it, so that the client has another one; otherwise `nil`.
    let refusedName: String?
    /// The requested name if another client has it; otherwise `nil`.
    let takenName: String?
    /// The answer to the first request for a number of frames per cycle; `nil` without a request, or
    /// if the server had that number already.
    public let period: PeriodAnswer?
    private let name: String?
    private let periodFrames: Int?
    private var own: OwnServer?

    /// Joins the running server.
    ///
    /// If no server runs and `mayStart` is true, starts a server, which lives as long as this
    /// object.
    ///
    /// - Parameters:
    ///   - requestedName: The requested client name. It is changed if a server has it, and the
    ///     server may change it as well.
    ///   - name: The server's name; `nil` for the default server.
    ///   - mayStart: Whether a server may be started. If the environment contains
    ///     `JACK_NO_START_SERVER`, with any value, no server is started, as in libjack. Nor is one
    ///     if the JACK library is PipeWire's.
    ///   - periodFrames: The wanted number of frames per cycle, also when the server returns; `nil`
    ///     accepts any.
    /// - Throws: `JackError`.
    public init(
        clientName requestedName: String, server name: String?, mayStart: Bool,
        periodFrames: Int? = nil
    ) throws(JackError) {
        let requestedName = legalClientName(requestedName)
        let legalName = JackHost.clientName(
            requestedName, unlike: RunningServers.names().union([serverName(name)]))
        refusedName = legalName == requestedName ? nil : requestedName
        self.name = name
        self.periodFrames = periodFrames
        do {
            client = try JackClient(name: legalName, server: name)
            own = nil
        } catch {
            // PipeWire's library cannot join a server of JACK.
            let mayStart = mayStart && !JackLibrary.loaded.isPipeWire
            guard mayStart, case .noServer = error else { throw error }
            if getenv("JACK_NO_START_SERVER") != nil { throw .startForbidden(name: name) }
            (client, own) = try startServer(clientName: legalName, server: name)
        }
        clientName = client.name
        takenName = clientName == legalName ? nil : legalName
        if let periodFrames {
            period = client.askForPeriod(frames: periodFrames)
        } else {
            period = nil
        }
    }

    /// The command that started the server; `nil` if the server was running before.
    public var ownServerCommand: String? { own?.command }
    /// The sample rate, in frames per second.
    public var sampleRate: Double { client.sampleRate }

    /// Ends the server if this program started it.
    func endOwnServer(hangs: Bool) { own?.stop(hangs: hangs) }

    /// Starts the server again if this program started it and it has ended.
    ///
    /// - Returns: The command line; `nil` if no server was started.
    func restartOwnServer() -> String? {
        guard let own, own.hasEnded() else { return nil }
        let driver = SoundCard.free().first.map { ServerDriver.alsa($0) } ?? .dummy
        guard let server = try? OwnServer(name: name, driver: driver) else { return nil }
        self.own = server
        return server.command
    }

    /// A function that opens a client with the same name and asks for the same period; it returns
    /// `nil` if the server is not back.
    ///
    /// Any thread may call it.
    var openClient: @Sendable () -> JackClient? {
        { [clientName, name, periodFrames] in
            let client = try? JackClient(
                name: JackHost.clientName(
                    clientName, unlike: RunningServers.names().union([serverName(name)])),
                server: name)
            if let client, let periodFrames { _ = client.askForPeriod(frames: periodFrames) }
            return client
        }
    }

    /// Returns whether the client has the given name.
    func isNamed(_ requestedName: String) -> Bool { clientName == legalClientName(requestedName) }

    /// Sets the name for the next client.
    func rename(to requestedName: String) { clientName = legalClientName(requestedName) }

    /// Continues with a new, open client.
    func rejoin(_ client: JackClient) {
        self.client = client
        clientName = client.name
    }
}

/// Starts a server with the first driver that works.
private func startServer(
    clientName: String, server name: String?
) throws(JackError) -> (JackClient, OwnServer) {
    for card in SoundCard.free() {
        let server = try OwnServer(name: name, driver: .alsa(card))
        if let client = try? server.waitForClient(name: clientName, server: name) {
            return (client, server)
        }
        server.stop()
    }
    let server = try OwnServer(name: name, driver: .dummy)
    return (try server.waitForClient(name: clientName, server: name), server)
}
