/// A place in the graph of a JACK server, which may be our own.
public final class JoinedServer {
    private(set) var client: JackClient
    /// The client's name, as the server gave it.
    private(set) var clientName: String
    /// The wished name, where it is a server's and another had to be taken.
    let refusedName: String?
    /// The wished name, where another client has it.
    let takenName: String?
    private let name: String?
    private var own: OwnServer?

    /// Joins the running server; where there is none and it is allowed, starts one that lives as long as this object.
    ///
    /// - Parameters:
    ///   - wishedName: The client's name; another is taken where it is a server's, and the server may change it as well.
    ///   - name: The server's name; nil is the default one.
    ///   - mayStart: Whether a server may be started.
    /// - Throws: `JackFault`.
    public init(
        clientName wishedName: String, server name: String?, mayStart: Bool
    ) throws(JackFault) {
        let wishedName = legalClientName(wishedName)
        let legalName = JackHost.clientName(
            wishedName, unlike: RunningServers.names().union([serverName(name)]))
        refusedName = legalName == wishedName ? nil : wishedName
        self.name = name
        do {
            client = try JackClient(name: legalName, server: name)
            own = nil
        } catch {
            guard mayStart, case .noServer = error else { throw error }
            (client, own) = try startServer(clientName: legalName, server: name)
        }
        clientName = client.name
        takenName = clientName == legalName ? nil : legalName
    }

    /// The command that started a server of our own; nil where one was running.
    public var ownServerCommand: String? { own?.command }
    /// In frames a second.
    public var sampleRate: Double { client.sampleRate }

    /// Ends the server where it is our own.
    func endOwnServer(hangs: Bool) { own?.stop(hangs: hangs) }

    /// Starts a server again where it was our own and has ended.
    ///
    /// - Returns: The command; nil where none was started.
    func restartOwnServer() -> String? {
        guard let own, own.hasEnded() else { return nil }
        let driver = SoundCard.free().first.map { ServerDriver.alsa($0) } ?? .dummy
        guard let server = try? OwnServer(name: name, driver: driver) else { return nil }
        self.own = server
        return server.command
    }

    /// What opens a client of the same name in the server that may be there again, on any thread.
    var reunion: @Sendable () -> JackClient? {
        { [clientName, name] in
            try? JackClient(
                name: JackHost.clientName(
                    clientName, unlike: RunningServers.names().union([serverName(name)])),
                server: name)
        }
    }

    /// Whether the client has the name that is wished.
    func isNamed(_ wishedName: String) -> Bool { clientName == legalClientName(wishedName) }

    /// Has the next client be called otherwise.
    func rename(to wishedName: String) { clientName = legalClientName(wishedName) }

    /// Goes on with the client that was opened.
    func rejoin(_ client: JackClient) {
        self.client = client
        clientName = client.name
    }
}

/// Starts a server through the first driver that works.
private func startServer(
    clientName: String, server name: String?
) throws(JackFault) -> (JackClient, OwnServer) {
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
