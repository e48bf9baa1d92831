internal import ArgumentParser
internal import Pipelines

/// `stompline new`: writes a first pipeline, after a short dialogue or from options.
struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Write a pipeline for your instrument that sounds at once.",
        discussion: """
            In a terminal it asks what you play, which ports of the sound card you use, and
            for the name of the file. In a script every question has an option.

            Examples:
              stompline new                                  asks everything
              stompline new --list                           the templates
              stompline new voice.json --template voice --defaults
              stompline new duo.json --template podcast \\
                --input host=system:capture_1 --input guest=system:capture_2 --defaults

            An input or output with several channels takes an option for each of them.
            "none" leaves it without a connection. --defaults gives the first free ports
            of the card to all others. The ports are those of the running JACK server, or
            without one the names that jackd would give them.
            """)

    @Argument(
        help: ArgumentHelp("The file to write.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var file: String?

    @Option(help: ArgumentHelp("What you play: a name of --list.", valueName: "name"))
    var template: String?

    @Option(
        help: ArgumentHelp(
            "The port for an input; repeat it for each channel.", valueName: "name=port"))
    var input: [String] = []

    @Option(
        help: ArgumentHelp(
            "The port for an output; repeat it for each channel.", valueName: "name=port"))
    var output: [String] = []

    @Option(help: ArgumentHelp("The name of the pipeline.", valueName: "text"))
    var name: String?

    @Flag(help: "Ask nothing; take the usual answers.")
    var defaults = false

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @Flag(help: "List the templates with their inputs and outputs.")
    var list = false

    @Option(help: ArgumentHelp("The JACK server's name (default: JACK's own).", valueName: "name"))
    var server: String?

    func run() throws {
        if list { return try Console.put(Self.list()) }
        let options = try PortOptions(inputs: input, outputs: output)
        let named = try template.map(Self.template)
        if let file, !force, StarterFile.exists(file) { throw StarterFile.existing(file) }
        let isAsking = !defaults && Dialogue.isPossible
        let questions = StarterQuestions()
        guard let template = try named ?? (isAsking ? questions.template() : nil) else {
            throw Self.missing(["--template NAME (\(Self.names))"] + (file == nil ? ["FILE"] : []))
        }
        let signals = try Self.signals(of: template)
        try options.check(against: signals, of: template.name)
        let open = signals.filter { options.ports(of: $0) == nil }
        if !isAsking, !defaults {
            let missing = open.map { "\($0.isInput ? "--input" : "--output") \($0.name)=PORT" }
            let all = (file == nil ? ["FILE"] : []) + missing
            if !all.isEmpty { throw Self.missing(all) }
        }
        let connections = try connections(
            of: signals, options, asking: isAsking && !open.isEmpty ? questions : nil)
        let usual = "\(template.name).json"
        let path =
            try file
            ?? (isAsking ? questions.file(usual: usual, isReplacing: force) : usual)
        try write(template, connections, to: path)
    }

    /// Returns the ports of all signals that do not keep those of the template.
    private func connections(
        of signals: [StarterTemplate.Signal], _ options: PortOptions,
        asking questions: StarterQuestions?
    ) throws -> [(signal: StarterTemplate.Signal, ports: [String])] {
        var offered = OfferedPorts(server: server)
        for signal in signals { offered.use(options.ports(of: signal) ?? []) }
        questions?.introduce(offered)
        var connections: [(signal: StarterTemplate.Signal, ports: [String])] = []
        for signal in signals {
            let ports =
                try options.ports(of: signal)
                ?? (questions?.ports(of: signal, from: offered) ?? offered.usual(for: signal))
            guard let ports else { continue }
            offered.use(ports)
            // A signal without a connection needs no key, unless the template has one.
            if signal.isConnected || !ports.isEmpty { connections.append((signal, ports)) }
        }
        return connections
    }

    private func write(
        _ template: StarterTemplate,
        _ connections: [(signal: StarterTemplate.Signal, ports: [String])], to path: String
    ) throws {
        let text = try template.text(name: name, connections: connections)
        let sounds = try StarterSounds(template.sounds, nextTo: path)
        do throws(InvalidPipeline) {
            _ = try Pipeline(
                decoding: text.bytes, file: path, catalogue: HostServices.catalogue())
        } catch {
            // A name or an expression of the user.
            sounds.remove()
            Console.show(error.diagnostics)
            throw Failure.usage("nothing was written, because the file would not be valid")
        }
        do {
            try StarterFile.write(text.bytes, to: path, isReplacing: force)
        } catch {
            sounds.remove()
            throw error
        }
        try Console.put(line: path)
        if Dialogue.isPossible {
            Console.tell(
                """

                Play it:              stompline run \(path)
                Read its errors:      stompline check \(path)
                Change it: edit the file while it plays; its description names what to change.

                """)
        }
    }

    private static var names: String {
        StarterTemplate.all.map(\.name).joined(separator: ", ")
    }

    private static func template(_ name: String) throws -> StarterTemplate {
        guard let template = StarterTemplate.all.first(where: { $0.name == name }) else {
            throw Failure.usage("there is no template '\(name)'; there are \(names)")
        }
        return template
    }

    private static func signals(of template: StarterTemplate) throws -> [StarterTemplate.Signal] {
        do throws(InvalidPipeline) {
            return try template.signals()
        } catch {
            Console.show(error.diagnostics)
            throw Failure("the template '\(template.name)' is not valid", .internalError)
        }
    }

    private static func missing(_ options: [String]) -> Failure {
        .usage(
            "without a terminal nothing is asked; missing: \(options.joined(separator: ", "))"
                + "; --defaults takes the usual ports")
    }

    /// Returns the list of templates.
    private static func list() throws -> String {
        var table = TextTable([.left, .left])
        for template in StarterTemplate.all {
            let signals = try signals(of: template)
            func names(_ areInputs: Bool) -> String {
                signals.filter { $0.isInput == areInputs }
                    .map { $0.kind == .midi ? "\($0.name) (MIDI)" : "\($0.name) (\($0.channels))" }
                    .joined(separator: ", ")
            }
            table.add([
                template.name,
                "\(template.summary)\ninputs: \(names(true))\noutputs: \(names(false))",
            ])
        }
        return table.text
    }
}
