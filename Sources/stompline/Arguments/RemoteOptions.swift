internal import ArgumentParser
internal import Control
internal import HTTPServer
internal import SessionCore

/// The options for other programs that control a session.
struct RemoteOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Listen for OSC on this UDP port; 0 means any free port.",
            discussion: "Only on this machine; 0.0.0.0:9000 includes the network.",
            valueName: "port"))
    var osc: String?

    @Option(
        help: ArgumentHelp(
            "The token that OSC programs on other machines must send first.",
            discussion:
                "Other users of this machine can read this option. To hide the token, use "
                + "\(TokenChoice.variable) in the environment or a file. Without any of them, "
                + "a token is created and shown.",
            valueName: "word"))
    var oscToken: String?

    @Option(
        help: ArgumentHelp(
            "A file that contains the token; it is created if it does not exist.",
            valueName: "file"))
    var oscTokenFile: String?

    @Option(
        help: ArgumentHelp(
            "Serve the page for a browser at this TCP port; 0 means any free port.",
            discussion:
                "Only on this machine; 0.0.0.0:8080 and [::]:8080 include the network. The URL is "
                + "printed. A device on the network must be paired first, with a code that is printed.",
            valueName: "port"))
    var http: String?

    @Option(
        help: ArgumentHelp(
            "The role of devices that are paired: look, play or edit (default: play).",
            valueName: "role"),
        transform: RemoteRole.init(typed:))
    var httpRole: RemoteRole?

    @Option(
        help: ArgumentHelp(
            "Paired devices may only change the mix of this mixer or output.", valueName: "name"))
    var httpLimit: String?

    @Option(
        help: ArgumentHelp(
            "Serve the page over TLS with the certificate in this PEM file, or with self-made.",
            discussion:
                "With self-made, the program makes a certificate at the first use; a browser warns "
                + "until you accept it. Without TLS, browsers on other devices cannot keep their "
                + "screens on.",
            valueName: "file"))
    var httpTLS: String?

    @Option(
        help: ArgumentHelp(
            "The PEM file with the private key, if it is not in the file of --http-tls.",
            valueName: "file"))
    var httpTLSKey: String?

    @Flag(help: "Do not reload edited files.")
    var noWatch = false

    func validate() throws {
        try TokenChoice(word: oscToken, file: oscTokenFile).check("--osc-token")
        if let http {
            do { _ = try ListenAddress(parsing: http) } catch {
                throw ValidationError("\(error)")
            }
        } else if httpRole != nil || httpLimit != nil || httpTLS != nil {
            throw ValidationError("--http-role, --http-limit and --http-tls need --http")
        }
        if httpTLSKey != nil && (httpTLS == nil || httpTLS == Self.selfMade) {
            throw ValidationError("--http-tls-key needs --http-tls with a file")
        }
        try httpPermit.check("--http-limit", httpLimit)
        guard let osc else { return }
        guard Self.address(osc) != nil else {
            throw ValidationError(
                "--osc must be a port from 0 to 65535, or ADDRESS:PORT, not \(osc)")
        }
    }

    /// Starts an OSC server if the options request one, and reports its address.
    ///
    /// - Parameters:
    ///   - control: The session; its events must be handed to the server's `receive`.
    ///   - warn: Receives the activity of senders without access, on the server's thread.
    /// - Returns: The server, which listens while it exists; `nil` if the options request no
    ///   server.
    /// - Throws: `Failure` if the port is in use, or the token's file cannot be read or created.
    func openOSC(
        for control: any SessionControl, warn: @escaping @Sendable (OSCWarning) -> Void
    ) throws -> OSCServer? {
        guard let osc, let (host, port) = Self.address(osc) else { return nil }
        guard let requested = Endpoint(host: host ?? "127.0.0.1", port: port) else {
            throw Failure("cannot find the machine \(host ?? "")", .unavailable)
        }
        let token = try token(for: requested)
        do {
            let server = try OSCServer(
                at: requested, token: token, control: control, warn: warn)
            Console.notify("OSC at UDP \(server.endpoint)")
            return server
        } catch { throw Failure("\(error)", .unavailable) }
    }

    /// The value of `--http-tls` for a certificate that the program makes.
    private static let selfMade = "self-made"

    /// The certificate that the options request; `nil` for HTTP without TLS.
    private var certificate: ServerCertificate? {
        get throws(CertificateError) {
            guard let httpTLS else { return nil }
            return httpTLS == Self.selfMade
                ? try .selfMade() : try ServerCertificate(path: httpTLS, keyPath: httpTLSKey)
        }
    }

    /// The rights of devices that are paired with the codes of this run.
    private var httpPermit: Permit { Permit(role: httpRole ?? .play, limit: httpLimit) }

    /// Starts the server of the page if the options request one, and reports its URL.
    ///
    /// - Parameters:
    ///   - control: The session; its events must be handed to the server's `receive`.
    ///   - services: What the program does for the page.
    ///   - report: Receives the URL and refused requests.
    /// - Returns: The server, which listens while it exists; `nil` if the options request no
    ///   server.
    /// - Throws: `Failure` if the port is in use, or the certificate cannot be used.
    func openHTTP(
        for control: any SessionControl, _ services: PageServices, _ report: RunReport
    ) throws -> PageServer? {
        guard let http else { return nil }
        do {
            let certificate = try certificate
            let access = AccessOptions(
                permit: httpPermit, file: RemotesFile(), certificate: certificate)
            let server = try PageServer(
                at: ListenAddress(parsing: http), access: access, control: control,
                version: Version.text, drawing: BoardDrawing.svg(of:), services: services
            ) { report.receive($0) }
            report.receive(.started(url: server.url, fingerprint: certificate?.fingerprint))
            if let httpTLS, certificate?.hasExpired == true {
                Console.notify(
                    "the certificate in \(httpTLS) has expired, so browsers show a warning")
            }
            server.makeCode()
            return server
        } catch { throw Failure("\(error)", .unavailable) }
    }

    /// Returns the given token, or creates and shows one if other machines can reach the server.
    private func token(for requested: Endpoint) throws -> OSCToken? {
        let given = try TokenChoice(word: oscToken, file: oscTokenFile).token(mayMake: true)
        if requested.isLoopback { return given }
        if let given {
            if given.isEasyToGuess {
                Console.notify(
                    "the OSC token is easy to guess; without --osc-token, "
                        + "a token of 80 random bits is created")
            }
            return given
        }
        let made = OSCToken.random()
        Console.notify("OSC token for this run: \(made.text)")
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

extension RemoteRole {
    /// Creates the role that a person has typed.
    ///
    /// - Throws: `ValidationError` for another word.
    init(typed text: String) throws {
        guard let role = RemoteRole(rawValue: text) else {
            throw ValidationError("'\(text)' must be \(RemoteRole.names)")
        }
        self = role
    }
}

extension Permit {
    /// Checks that a limit and the role go together.
    ///
    /// - Parameters:
    ///   - option: The name of the option for the limit.
    ///   - limit: The limit that a person has typed; `nil` without one.
    /// - Throws: `ValidationError`.
    func check(_ option: String, _ limit: String?) throws {
        guard let limit else { return }
        if limit.isEmpty { throw ValidationError("\(option) must name a mixer or an output") }
        if role != .play {
            throw ValidationError("\(option) is only possible with the role play")
        }
    }
}
