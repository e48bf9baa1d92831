internal import ArgumentParser
internal import JackHost
internal import LV2
internal import Pipelines

/// `stompline run`: plays a pipeline live.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Play a pipeline live in JACK, until Ctrl-C.",
        discussion: """
            Examples:
              stompline run pipelines/clean-vocal.json
              stompline run pipelines/clean-vocal.json --name Voice
              stompline run pipelines/clean-vocal.json --no-connect --duration 10

            It plays on the JACK server that runs, or on one of its own. --name is its
            name in the patchbay; with --no-connect all connecting is left to you; with
            --json it prints an object a line, for scripts.

            The ports bear the names of the file's inputs and outputs. In a terminal
            a status line shows peaks, load, xruns and latency. Ctrl-C (SIGINT) and
            SIGTERM fade out and end it.
            """)

    /// What a file is checked for before a server has said its own rate.
    private static let usualSampleRate = 48_000.0

    @Argument(
        help: ArgumentHelp("A pipeline file.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var file: String

    @Option(
        help: ArgumentHelp("The JACK client's name (default: the pipeline's).", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("The JACK server's name (default: JACK's own).", valueName: "name"))
    var server: String?

    @Flag(help: "Make no connections, whatever the file says.")
    var noConnect = false

    @Flag(help: "Do not start a JACK server where none is running.")
    var noStartServer = false

    @Option(help: ArgumentHelp("Play for so long, then end.", valueName: "seconds"))
    var duration: Double?

    @Flag(help: "Do not stop a plugin that takes too long again and again.")
    var noWatchdog = false

    @OptionGroup var remote: RemoteOptions

    @Flag(help: "Print what happens as JSON on standard output, an object a line.")
    var json = false

    func validate() throws {
        if let duration { try Limits.check("--duration", seconds: duration) }
    }

    func run() throws {
        StopSignals.hold()
        MemoryUse.limit()
        let diary = CrashDiary()
        let plugins = try play(RunReport(json: json), diary)
        // Only now are the plugins freed, which may go wrong as well.
        diary?.endWell(played: plugins)
    }

    /// Plays to the end.
    ///
    /// - Returns: The URIs of the plugins that played.
    private func play(_ report: RunReport, _ diary: CrashDiary?) throws -> Set<String> {
        defer { report.end() }
        do {
            let stopper = Stopper()
            try StopSignals.forward(to: stopper.receive)
            let catalogue = Surroundings.catalogue(with: Surroundings.plugins(diary))
            let checked = try LoadedPipeline(
                file, sampleRate: Self.usualSampleRate, catalogue: catalogue)
            CrashWarning.show(for: checked.pipeline)
            let server = try JoinedServer(
                clientName: name ?? checked.pipeline.name, server: server, mayStart: !noStartServer)
            let session = try session(checked, on: server, report)
            stopper.stops(session.remote)
            _ = try session.play(report.tell)
            return checked.pipeline.pluginURIs
        } catch let fault as JackFault {
            throw Failure(fault.message, .unavailable)
        } catch SessionFault.jack(let fault) {
            throw Failure(fault.message, .unavailable)
        } catch SessionFault.preparation(let fault) {
            throw Failure(fault)
        }
    }

    private func session(
        _ checked: LoadedPipeline, on server: JoinedServer, _ report: RunReport
    ) throws -> JackSession {
        // Some ranges depend on the rate.
        let playable =
            server.sampleRate == Self.usualSampleRate
            ? checked
            : try LoadedPipeline(file, sampleRate: server.sampleRate, catalogue: checked.catalogue)
        var options = SessionOptions()
        options.makesConnections = !noConnect
        options.durationSeconds = duration
        options.statusSeconds = report.statusSeconds
        options.stopsSlowPlugins = !noWatchdog
        return try JackSession(
            playing: playable.pipeline, catalogue: playable.catalogue, on: server, options: options)
    }
}
