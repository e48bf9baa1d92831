internal import ArgumentParser
internal import JackHost
internal import LV2
internal import Pipelines
internal import Processing
internal import Recorders
internal import Show

/// `stompline run`: plays a pipeline or a setlist live.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Play a pipeline or a setlist live in JACK, until Ctrl-C.",
        discussion: """
            Examples:
              stompline run pipelines/clean-vocal.json
              stompline run pipelines/clean-vocal.json --name Voice
              stompline run pipelines/clean-vocal.json --no-connect --duration 10

            It plays on the JACK server that runs, or on one of its own. --name is its
            name in the patchbay; with --no-connect all connecting is left to you; with
            --json it prints an object a line, for scripts. What you change in the file
            is heard when you save it.

            The ports bear the names of the file's inputs and outputs. In a terminal
            it shows levels, load, xruns and latency, and takes keys: ? lists them.
            Ctrl-C (SIGINT) and SIGTERM fade out and end it.
            """)

    @Argument(
        help: ArgumentHelp("A pipeline or a setlist file.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var file: String?

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

    @OptionGroup var may: PermissionOptions

    @Flag(help: "Print what happens as JSON on standard output, an object a line.")
    var json = false

    func validate() throws {
        if let duration { try Limits.check("--duration", seconds: duration) }
        if file == nil, !ManagedSession.isWanted {
            throw ValidationError("Missing expected argument '<file>'")
        }
    }

    func run() throws {
        StopSignals.hold()
        MemoryUse.limit()
        let diary = CrashDiary()
        let report = RunReport(json: json)
        let stopper = Stopper { Self.finishTakes(report) }
        try StopSignals.forward(to: stopper.receive)
        let plugins: Set<String>
        do {
            // Also where the server hangs at the end.
            defer { stopper.hasPlayed() }
            plugins = try play(report, diary, stopper)
        }
        // Only now are the plugins freed, which may go wrong as well.
        diary?.endWell(played: plugins)
    }

    /// Waits until all that was recorded is in its files, and says so.
    private static func finishTakes(_ report: RunReport) {
        let isWhole = Surroundings.disk.finish(withinSeconds: patienceSeconds)
        while let incident = Surroundings.disk.nextIncident() {
            report.tell(.incident(node: "recorder", plugin: "Recorder", incident))
        }
        if !isWhole { report.complain("the disk is too slow: the end of a take is missing") }
    }

    /// How long a disk may take for the rest of all takes.
    private static let patienceSeconds = 10.0

    /// Plays to the end.
    ///
    /// - Returns: The URIs of the plugins that played.
    private func play(
        _ report: RunReport, _ diary: CrashDiary?, _ stopper: Stopper
    ) throws -> Set<String> {
        defer { report.end() }
        // Before anything is registered in JACK: the session manager gives the name.
        let managed = try ManagedSession.join(given: file)
        do {
            return try play(managed, report, stopper, Surroundings.plugins(diary))
        } catch {
            managed?.refuse()
            throw Self.failure(for: error)
        }
    }

    private func play(
        _ managed: ManagedSession?, _ report: RunReport, _ stopper: Stopper,
        _ plugins: PluginWorld
    ) throws -> Set<String> {
        let reader = SongReader(
            managed?.path ?? file ?? "",
            catalogue: Surroundings.catalogue(with: plugins, permissions: may.permissions))
        let first = try reader.readOrFail(sampleRate: SongReader.usualSampleRate)
        report.warn(of: first.songs)
        let server = try JoinedServer(
            clientName: managed?.clientName ?? name ?? first.name, server: server,
            mayStart: !noStartServer)
        // Some ranges depend on the rate.
        let show =
            server.sampleRate == SongReader.usualSampleRate
            ? first : try reader.readOrFail(sampleRate: server.sampleRate)
        let session = try session(show, reader.catalogue, on: server, report)
        stopper.stops(session.remote)
        let stage = StageHands(session.remote, reader, show, sampleRate: server.sampleRate, report)
        defer { stage.leave() }
        try stage.begin(remote, managed)
        _ = try session.play(stage.tell)
        return stage.playedPlugins
    }

    private static func failure(for error: any Error) -> any Error {
        switch error {
        case let fault as JackFault: Failure(fault.message, .unavailable)
        case SessionFault.jack(let fault): Failure(fault.message, .unavailable)
        case SessionFault.preparation(let fault): Failure(fault)
        case SessionFault.signals(let message): Failure(message, .invalidPipeline)
        default: error
        }
    }

    private func session(
        _ show: SongReader.Contents, _ catalogue: Catalogue, on server: JoinedServer,
        _ report: RunReport
    ) throws -> JackSession {
        var options = SessionOptions()
        options.makesConnections = !noConnect
        options.durationSeconds = duration
        options.statusSeconds = report.statusSeconds
        options.stopsSlowPlugins = !noWatchdog
        return try JackSession(
            playing: show.songs, named: show.name, catalogue: catalogue, on: server,
            options: options)
    }
}
