internal import ArgumentParser
internal import Control
internal import Pipelines
internal import Processing
internal import SessionCore
internal import Platform

/// `stompline ctl`: reads and changes a running session.
struct CtlCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ctl",
        abstract: "Read or change the values of a running session, over OSC.",
        discussion: """
            Examples:
              stompline ctl                        all values; those that nodes only
                                                   report are marked (read-only)
              stompline ctl tape.file              the file of a recorder's take
              stompline ctl verb.mix               one value
              stompline ctl verb.mix 0.5           change it
              stompline ctl desk.gain -24 --over 5 move it there within 5 seconds
              stompline ctl 'verb.*'               all values of a node
              stompline ctl scene chorus           switch to a scene by its name
              stompline ctl tuner ""               clear a text: no input
              stompline ctl song Ballad            switch to a song; prints the song
                                                   that plays when it plays
              stompline ctl tap                    tap the tempo; likewise panic,
                                                   next-scene, next-song …
              stompline ctl go                     call the next cue; back calls the
                                                   previous one
              stompline ctl fade-all 8             fade out all players within 8
                                                   seconds, then stop them; stop-all
                                                   stops them and loopers at once
              stompline ctl save                   save the live values in the
                                                   song's file; undo restores it
              stompline ctl save scene chorus      save them in a scene
              stompline ctl compare                switch between saved and live
              stompline ctl keep                   write the last minutes as a box for
                                                   'stompline replay'; prints its path
              stompline ctl --watch verb           print every change, until Ctrl-C

            The session must run with 'stompline run FILE --osc 9000', on this machine
            or on the one that --host names.
            """)

    /// The time after which a box that is still being written is reported, in seconds.
    private static let noticeSeconds = 2.0

    // Negative values must not be parsed as options.
    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp(
            "An address, and its new value: a number, true, false, or a text.",
            valueName: "address [value]"))
    var words: [String] = []

    @Flag(help: "Print each change of the given addresses, or of all, until Ctrl-C.")
    var watch = false

    @Option(
        help: ArgumentHelp(
            "The time in which the value of a node moves to the new one, 0 to 3600 (default: 0).",
            valueName: "seconds"))
    var over: Double?

    @OptionGroup var listener: ListenerOptions

    @Flag(help: "Print JSON: one object with all values; with --watch, one object per line.")
    var json = false

    func validate() throws {
        if let option = words.first(where: { $0.hasPrefix("-") && Double($0) == nil }) {
            throw ValidationError("there is no option \(option)")
        }
        if !watch, words.count > (savesScene ? 3 : 2) {
            throw ValidationError("ctl accepts an address and a value, not \(words.count) words")
        }
        if let over {
            guard FadeManner.allowedSeconds.contains(over) else {
                throw ValidationError("--over must be 0 to 3600 seconds")
            }
            guard !watch, !savesScene, words.count == 2 else {
                throw ValidationError("--over needs an address and a value")
            }
        }
        // Only a value may be empty: it clears an address such as `tuner`.
        if (watch ? words[...] : words.prefix(1)).contains("") {
            throw ValidationError("an address is empty")
        }
    }

    func run() throws {
        let server = try listener.endpoint()
        do {
            let remote = try RemoteSession(at: server, token: try listener.givenToken()?.text)
            guard !watch else { return try remote.watch(words, report: report) }
            try put(entries(of: remote), reports: words.isEmpty ? try remote.reports() : [])
        } catch let error as SocketError {
            throw Failure("\(error)", .unavailable)
        } catch let error as CallError {
            throw Failure(error, server)
        }
    }

    /// Whether the words are `save scene`, perhaps with a name.
    private var savesScene: Bool { words.starts(with: ["save", "scene"]) }

    private func entries(of remote: RemoteSession) throws(CallError) -> [AddressValue] {
        if savesScene {
            let address = SessionCommand.saveScene.rawValue
            guard words.count == 3 else { return try remote.values(of: address) }
            return try remote.set(address, to: .text(words[2]))
        }
        return switch words.count {
        case 0: try remote.dump()
        case 1: try values(of: words[0], on: remote)
        default: try set(words[0], to: Value(typed: words[1]), on: remote)
        }
    }

    private func values(
        of address: String, on remote: RemoteSession
    ) throws(CallError) -> [AddressValue] {
        var isReported = address != SessionCommand.keep.rawValue
        return try remote.values(of: address) { seconds in
            guard !isReported, seconds >= Self.noticeSeconds else { return }
            isReported = true
            Console.notify("the session is still writing the box")
        }
    }

    private func set(
        _ address: String, to value: Value, on remote: RemoteSession
    ) throws(CallError) -> [AddressValue] {
        guard let over else { return try remote.set(address, to: value) }
        return try remote.fade(address, to: value, overSeconds: over)
    }

    private func put(_ entries: [AddressValue], reports: [NodeReport]) throws {
        if json {
            let values = entries.map { JSONValue.Member($0.address, $0.value.json) }
            let reported = reports.compactMap { report in
                report.value.map { JSONValue.Member(report.address, $0.json) }
            }
            try Console.put(.object(values + reported))
        } else if let only = entries.first, entries.count == 1, !words.isEmpty {
            try Console.put(line: only.value.text)
        } else if !entries.isEmpty {
            let lines = entries.map(\.line) + reports.compactMap(\.line)
            try Console.put(lines.joined(separator: "\n"))
        }
    }

    private func report(_ entry: AddressValue) throws -> Bool {
        let object: JSONValue = .object([
            JSONValue.Member("address", .string(entry.address)),
            JSONValue.Member("value", entry.value.json),
        ])
        try Console.put(line: json ? object.text : entry.line)
        return true
    }
}

/// The address of a session.
struct ListenerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The UDP port of the session.", valueName: "port"))
    var port = OSCServer.defaultPort

    @Option(help: ArgumentHelp("The machine on which the session runs.", valueName: "name"))
    var host = "127.0.0.1"

    @Option(
        help: ArgumentHelp(
            "The token of a session on another machine.",
            discussion:
                "Other users of this machine can read this option. To hide the token, use "
                + "\(TokenChoice.variable) in the environment or a file.",
            valueName: "word"))
    var token: String?

    @Option(help: ArgumentHelp("A file that contains the token.", valueName: "file"))
    var oscTokenFile: String?

    /// Returns the token of the options; `nil` without a token.
    ///
    /// - Throws: `Failure` if the token's file cannot be read.
    func givenToken() throws -> OSCToken? {
        try TokenChoice(word: token, file: oscTokenFile).token(mayMake: false)
    }

    func validate() throws {
        try TokenChoice(word: token, file: oscTokenFile).check("--token")
        if port == 0 { throw ValidationError("--port must be 1 to 65535, not 0") }
    }

    /// Returns the network address of the session.
    ///
    /// - Throws: `Failure` if the host name cannot be resolved.
    func endpoint() throws -> Endpoint {
        guard let endpoint = Endpoint(host: host, port: port) else {
            throw Failure("cannot find the machine \(host)", .unavailable)
        }
        return endpoint
    }
}

extension Failure {
    fileprivate init(_ error: CallError, _ server: Endpoint) {
        switch error {
        case .silence:
            self.init(
                "no answer from \(server); check that 'stompline run' runs there "
                    + "with --osc \(server.port)",
                .unavailable)
        case .incomplete:
            self.init("parts of the answer from \(server) were lost; try again", .unavailable)
        case .tokenWanted:
            self.init(
                "the session at \(server) requires a token: set \(TokenChoice.variable) "
                    + "in the environment, or use --osc-token-file or --token",
                .wrongUsage)
        case .tokenRefused:
            self.init("the session at \(server) has a different token", .wrongUsage)
        case .refused(let message): self.init(message, .wrongUsage)
        case .failed(let message): self.init(message, .failed)
        }
    }
}

extension AddressValue {
    /// The address and the value; line breaks are escaped, because another program sends them.
    fileprivate var line: String { "\(address) \(value.text)".printable }
}

extension NodeReport {
    /// The address, the value and its unit, marked as read-only; `nil` before the node has run.
    fileprivate var line: String? {
        value.map {
            let words = [address, $0.text, unit].filter { !$0.isEmpty }
            return (words.joined(separator: " ") + " (read-only)").printable
        }
    }
}

extension Value {
    /// Creates a value from typed text; text in quotes is always a text value.
    fileprivate init(typed text: String) {
        let quoted = text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
        if quoted {
            self = .text(String(text.dropFirst().dropLast()))
        } else if text == "true" || text == "false" {
            self = .toggle(text == "true")
        } else if let number = Double(text), number.isFinite,
            !text.contains(where: { "xX".contains($0) })
        {
            self = .number(number)
        } else {
            self = .text(text)
        }
    }

    fileprivate var text: String {
        switch self {
        case .number(let number): number.plain
        case .toggle(let isOn): "\(isOn)"
        case .text(let text): text
        }
    }

    fileprivate var json: JSONValue {
        switch self {
        case .number(let number): .number(number)
        case .toggle(let isOn): .bool(isOn)
        case .text(let text): .string(text)
        }
    }
}
