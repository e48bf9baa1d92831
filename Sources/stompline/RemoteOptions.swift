internal import ArgumentParser
internal import Control
internal import Show

/// The options for other programs that control a session.
struct RemoteOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Listen to OSC on this UDP port; 0 is any.",
            discussion: "On this machine alone; 0.0.0.0:9000 is the network too.",
            valueName: "port"))
    var osc: String?

    @Option(
        help: ArgumentHelp(
            "The token that OSC programs elsewhere have to say first.",
            discussion:
                "Other users of this machine can read it: \(TokenChoice.variable) in the environment or a file keeps it. Without any, one is made and shown.",
            valueName: "word"))
    var oscToken: String?

    @Option(
        help: ArgumentHelp(
            "A file that holds the token; it is made where there is none.", valueName: "file"))
    var oscTokenFile: String?

    @Flag(help: "Do not follow changes of the files.")
    var noWatch = false

    func validate() throws {
        try TokenChoice(word: oscToken, file: oscTokenFile).check("--osc-token")
        guard let osc else { return }
        guard Self.address(osc) != nil else {
            throw ValidationError("--osc takes a port from 0 to 65535, or ADDRESS:PORT, not \(osc)")
        }
    }

    /// Starts an OSC server if the options request one, and reports its address.
    ///
    /// - Parameter control: The session; its events must be handed to the server's `receive`.
    /// - Returns: The server, which listens while it exists; `nil` if the options request no server.
    /// - Throws: `Failure` if the port is in use, or the token's file cannot be read or created.
    func openOSC(for control: any SessionControl) throws -> OSCServer? {
        guard let osc, let (host, port) = Self.address(osc) else { return nil }
        guard let wished = Endpoint(host: host ?? "127.0.0.1", port: port) else {
            throw Failure("there is no machine \(host ?? "")", .unavailable)
        }
        let token = try token(for: wished)
        do {
            let server = try OSCServer(at: wished, token: token, control: control) {
                Console.complain("\($0)")
            }
            Console.complain("OSC at UDP \(server.endpoint)")
            return server
        } catch { throw Failure("\(error)", .unavailable) }
    }

    /// Returns the given token, or creates and shows one if other machines can reach the server.
    private func token(for wished: Endpoint) throws -> OSCToken? {
        let given = try TokenChoice(word: oscToken, file: oscTokenFile).token(mayMake: true)
        if wished.isLoopback { return given }
        if let given {
            if given.isEasyToGuess {
                Console.complain(
                    "the OSC token is easy to guess: without --osc-token, one of 80 random bits is made"
                )
            }
            return given
        }
        let made = OSCToken.made()
        Console.complain("OSC token, made for this run: \(made.text)")
        return made
    }

    /// Returns the parts of "9000" or "0.0.0.0:9000"; `nil` if the text is not valid.
    private static func address(_ text: String) -> (host: String?, port: UInt16)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let port = parts.last.flatMap({ UInt16($0) }) else { return nil }
        if parts.count == 2, parts[0].isEmpty { return nil }
        return (parts.count == 2 ? String(parts[0]) : nil, port)
    }
}
