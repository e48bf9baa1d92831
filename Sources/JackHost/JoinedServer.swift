/// A place in the graph of a JACK server, which may be our own.
public final class JoinedServer {
    let client: JackClient
    /// The wished name, where it is a server's and another had to be taken.
    let refusedName: String?
    private let own: OwnServer?

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
        let clientName = clientName(
            wishedName, unlike: RunningServers.names().union([serverName(name)]))
        refusedName = clientName == wishedName ? nil : wishedName
        do {
            client = try JackClient(name: clientName, server: name)
            own = nil
        } catch {
            guard mayStart, case .noServer = error else { throw error }
            (client, own) = try startServer(clientName: clientName, server: name)
        }
    }

    /// The command that started a server of our own; nil where one was running.
    public var ownServerCommand: String? { own?.command }
    /// In frames a second.
    public var sampleRate: Double { client.sampleRate }

    /// Ends the server where it is our own.
    func endOwnServer() { own?.stop() }
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
