internal import ArgumentParser
internal import Control
internal import Show

/// How other programs reach what `run` plays.
struct RemoteOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Listen to OSC on this UDP port; 0 is any.",
            discussion: "On this machine alone; 0.0.0.0:9000 is the network too.",
            valueName: "port"))
    var osc: String?

    @Option(
        help: ArgumentHelp(
            "What OSC programs elsewhere have to say first.", valueName: "word"))
    var oscToken: String?

    @Flag(help: "Do not follow changes of the files.")
    var noWatch = false

    func validate() throws {
        guard let osc else { return }
        guard let (host, _) = Self.place(osc) else {
            throw ValidationError("--osc takes a port from 0 to 65535, or ADDRESS:PORT, not \(osc)")
        }
        if host != nil, host != "127.0.0.1", host != "localhost", oscToken?.isEmpty != false {
            throw ValidationError("--osc beyond this machine needs an --osc-token")
        }
    }

    /// Begins to listen to OSC where that is wanted, and says where.
    ///
    /// - Parameter desk: The show; its notices are to be handed to the server's `hear`.
    /// - Returns: The server, which listens as long as it is kept; nil where none is wanted.
    /// - Throws: `Failure` where the port is taken.
    func openOSC(for desk: any Desk) throws -> OSCServer? {
        guard let osc, let (host, port) = Self.place(osc) else { return nil }
        guard let wished = Endpoint(host: host ?? "127.0.0.1", port: port) else {
            throw Failure("there is no machine \(host ?? "")", .unavailable)
        }
        do {
            let server = try OSCServer(at: wished, token: oscToken, desk: desk)
            Console.complain("OSC at UDP \(server.endpoint)")
            return server
        } catch { throw Failure("\(error)", .unavailable) }
    }

    /// The parts of "9000" and "0.0.0.0:9000".
    private static func place(_ text: String) -> (host: String?, port: UInt16)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let port = parts.last.flatMap({ UInt16($0) }) else { return nil }
        if parts.count == 2, parts[0].isEmpty { return nil }
        return (parts.count == 2 ? String(parts[0]) : nil, port)
    }
}
