internal import ArgumentParser
internal import Control
internal import JackHost
internal import LV2
internal import Pipelines
internal import Processing
internal import Recorders
internal import SessionCore
internal import Platform

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
              stompline run night.json --song 7 --scene chorus
              stompline run night.json --resume

            The session plays on the running JACK server; if there is none, the command
            starts one. --name sets the name in the patchbay. With --no-connect, you make
            the connections. With --json, for scripts, each event is an object on a line.
            When you save an edit of the file, the session reloads it.

            The ports have the names of the file's inputs and outputs. In a terminal the
            command shows levels, load, xruns and latency, and reads keys: ? lists them.
            Ctrl-C (SIGINT) and SIGTERM fade out the sound and end the program.
            """)

    @Argument(
        help: ArgumentHelp("A pipeline or a setlist file.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var file: String?

    @OptionGroup var songOption: SongOption

    @OptionGroup var sceneOption: FirstSceneOption

    @Flag(
        help: ArgumentHelp(
            "Continue where the last run of this file ended or died.",
            discussion:
                "Restores the song, the scene, the values that were changed live, mute, gain and "
                + "tempo. --song and --scene choose another place."))
    var resume = false

    @Option(
        help: ArgumentHelp("The JACK client's name (default: the pipeline's).", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("The JACK server's name (default: JACK's own).", valueName: "name"))
    var server: String?

    @Flag(
        help: ArgumentHelp(
            "Refuse a file with errors.",
            discussion:
                "Without it, everything that can play does: a node with a missing plugin passes its "
                + "input, a player without its file is silent, a broken song is skipped."))
    var strict = false

    @Flag(help: "Make no connections, even if the file lists some.")
    var noConnect = false

    @Option(
        help: ArgumentHelp(
            "Provide bars, beats and tempo of JACK's transport: if-free or take-over.",
            discussion:
                "With if-free, only if no other program does; with take-over, also instead of another "
                + "program.", valueName: "when"),
        transform: RunCommand.timebaseWish)
    var timebase: TimebaseWish?

    @Option(
        help: ArgumentHelp(
            "Ask the server for this number of frames per block.",
            discussion:
                "JACK changes it for all programs, with an interruption, and keeps it. PipeWire "
                + "changes it as long as this program runs.", valueName: "frames"))
    var period: Int?

    @Flag(help: "Do not start a JACK server if none is running.")
    var noStartServer = false

    @Option(help: ArgumentHelp("End after this time.", valueName: "seconds"))
    var duration: Double?

    @Option(
        help: ArgumentHelp(
            "The number of cores that run the nodes: auto, or 1 to 32 (default: the file's, or 1).",
            discussion:
                "With auto, more than one core is used while the measured times of the nodes show "
                + "that it pays.", valueName: "count"))
    var cores: CoresArgument?

    @Flag(help: "Do not stop plugins that take too long repeatedly.")
    var noWatchdog = false

    @OptionGroup var remote: RemoteOptions

    @OptionGroup var rigOptions: RigOptions

    @OptionGroup var permissionOptions: PermissionOptions

    @OptionGroup var boxOptions: BoxOptions

    @Flag(help: "Print events as JSON on standard output, one object per line.")
    var json = false

    func validate() throws {
        if let duration { try Limits.check("--duration", seconds: duration) }
        if let period { try Limits.check(period: period) }
        if file == nil, !ManagedSession.isWanted {
            throw ValidationError("Missing expected argument '<file>'")
        }
    }

    func run() throws {
        StopSignals.hold()
        let service = ServiceReport()
        MemoryUse.limit()
        Console.writeInBackground()
        PluginExits.holdThreads(orEndWith: ExitStatus.internalError.rawValue)
        let diary = CrashDiary()
        let report = RunReport(json: json)
        let stopper = Stopper { Self.finishTakes(report) }
        guard StopSignals.forward(to: stopper.receive) else {
            throw Failure("cannot start a thread", .unavailable)
        }
        let plugins: Set<String>
        do {
            // The takes must be completed even if the server hangs at the end.
            defer { stopper.completeTakes() }
            plugins = try play(report, diary, stopper, service)
        }
        // The plugins are freed only now, and may crash during that.
        diary?.endNormally(played: plugins)
    }

    /// Waits until all takes are saved, and reports those that the session has not.
    private static func finishTakes(_ report: RunReport) {
        let isWhole = HostServices.disk.finish(withinSeconds: timeoutSeconds)
        while let found = HostServices.disk.nextIncident() {
            report.receive(.incident(node: found.node, plugin: found.label, found.incident))
        }
        if !isWhole { report.notify("the disk is too slow: the end of a take is missing") }
    }

    /// The longest time for the creation of a plugin, in seconds; as for isolated ones.
    private static let creationSeconds = 30.0
    /// The longest wait for the disk to save all takes, in seconds.
    private static let timeoutSeconds = 10.0

    /// Plays until the end.
    ///
    /// - Returns: The URIs of the plugins that played.
    private func play(
        _ report: RunReport, _ diary: CrashDiary?, _ stopper: Stopper, _ service: ServiceReport?
    ) throws -> Set<String> {
        defer { report.end() }
        // Done before JACK is used, because the session manager chooses the client name.
        let managed = try ManagedSession.join(given: file)
        do {
            let plugins = HostServices.plugins(diary, creationSeconds: Self.creationSeconds)
            return try play(managed, report, stopper, plugins, service)
        } catch {
            managed?.refuse()
            throw Self.failure(for: error)
        }
    }

    private func play(
        _ managed: ManagedSession?, _ report: RunReport, _ stopper: Stopper,
        _ plugins: PluginWorld, _ service: ServiceReport?
    ) throws -> Set<String> {
        let reader = SongReader(
            managed?.path ?? file ?? "",
            catalogue: HostServices.catalogue(
                with: plugins, permissions: permissionOptions.permissions), isTolerant: !strict)
        let first = try reader.readOrFail(sampleRate: SongReader.defaultSampleRate)
        // A session manager saves and restores the values itself.
        let resumeFile = managed == nil ? ResumeFile(for: reader.path) : nil
        let state = resume ? lastState(in: resumeFile, report) : nil
        // Reported before a server is joined or started.
        _ = try startingPoint(in: first, reader.path, resuming: state)
        report.warn(of: first)
        let server = try JoinedServer(
            clientName: managed?.clientName ?? name ?? first.name, server: server,
            mayStart: !noStartServer, periodFrames: period)
        if let answer = server.period { report.notify(Self.line(for: answer)) }
        // Some ranges depend on the rate.
        let songs =
            server.sampleRate == SongReader.defaultSampleRate
            ? first : try reader.readOrFail(sampleRate: server.sampleRate)
        let start = try startingPoint(in: songs, reader.path, resuming: state, report)
        let saver = resumeFile.map { ResumeSaver($0, warn: report.notify) }
        let boxes = BlackBoxes(boxOptions, for: songs, notify: report.notify)
        defer { boxes.end() }
        let session = try session(
            songs, from: start, reader.catalogue, on: server, report, saver: saver, boxes,
            onProgress: service?.onProgress)
        stopper.setSession(session.remote)
        let rig = Rig(
            rigOptions, remote, permissionOptions.permissions, server: self.server, report)
        let file = PlayedFile(
            reader, songs, from: start, remote: session.remote, sampleRate: server.sampleRate,
            rig: rig, report)
        boxes.begin(session.remote)
        let controllers = Controllers(of: session.remote)
        defer {
            file.endWatch()
            rig.end()
            controllers.close()
        }
        if !remote.noWatch { file.watch() }
        try controllers.open(remote, managed, file, plugins, report)
        rig.begin(songs, control: session.remote.control(for: .remote))
        _ = try session.play { event in
            file.receive(event)
            boxes.receive(event)
            report.receive(event)
            rig.receive(event)
            service?.receive(event)
        }
        stopper.noteEndOfSession()
        return file.playedPlugins
    }

    /// Returns the song and the scene that the options choose.
    ///
    /// - Throws: `Failure` if one of them does not exist.
    private func startingPoint(
        in songs: SongCollection, _ path: String, resuming snapshot: SessionSnapshot? = nil,
        _ report: RunReport? = nil
    ) throws -> StartingPoint {
        guard let snapshot else { return try chosenPoint(in: songs, path, song: nil) }
        let (resumed, unused) = songs.startingPoint(resuming: snapshot)
        for reason in unused { report?.notify("resuming without a part of the state: \(reason)") }
        guard songOption.song != nil || sceneOption.scene != nil else { return resumed }
        var chosen = try chosenPoint(in: songs, path, song: resumed.song)
        chosen.resumed = resumed.resumed?.masterOnly
        return chosen
    }

    /// Returns the state of the last run; `nil`, with a message, if no state is saved.
    private func lastState(in file: ResumeFile?, _ report: RunReport) -> SessionSnapshot? {
        do throws(SessionFileError) {
            if let snapshot = try file?.read() { return snapshot }
            report.notify("there is no earlier run to resume; starting as without --resume")
        } catch {
            report.notify("\(error); starting as without --resume")
        }
        return nil
    }

    /// Returns the song and the scene that the options choose; without `--song`, the resumed song or
    /// the first one.
    ///
    /// - Throws: `Failure` if one of them does not exist, or the song cannot play.
    private func chosenPoint(
        in songs: SongCollection, _ path: String, song resumedSong: Int?
    ) throws -> StartingPoint {
        let chosen = try songOption.index(in: songs, file: path)
        let song = songOption.song == nil ? resumedSong ?? chosen : chosen
        if let refusal = songs.songs[song].refusal {
            throw Failure(
                "\"\(songs.songs[song].name)\" cannot play: \(refusal)", .invalidPipeline)
        }
        return StartingPoint(song: song, scene: try sceneOption.index(in: songs.songs[song]))
    }

    private static func timebaseWish(_ text: String) throws -> TimebaseWish {
        if let wish = TimebaseWish(rawValue: text) { return wish }
        let names = TimebaseWish.allCases.map(\.rawValue).joined(separator: " or ")
        throw ValidationError("'\(text)' must be \(names)")
    }

    private static func line(for answer: PeriodAnswer) -> String {
        let frames = "\(answer.askedFrames) frames per block"
        if !answer.isAccepted {
            return "the JACK server refused \(frames); it continues with \(answer.formerFrames)"
        }
        return answer.isForAll
            ? "the JACK server now has \(frames) instead of \(answer.formerFrames), for all of its "
                + "programs"
            : "PipeWire was asked for \(frames), as long as this program runs"
    }

    private static func failure(for error: any Error) -> any Error {
        switch error {
        case let error as JackError: Failure(error.message, .unavailable)
        case JackSessionError.jack(let error): Failure(error.message, .unavailable)
        case JackSessionError.preparation(let error): Failure(error)
        case JackSessionError.signals(let message): Failure(message, .invalidPipeline)
        default: error
        }
    }

    private func session(
        _ songs: SongCollection, from start: StartingPoint, _ catalogue: Catalogue,
        on server: JoinedServer, _ report: RunReport, saver: ResumeSaver?, _ boxes: BlackBoxes,
        onProgress: (@Sendable () -> Void)?
    ) throws -> JackSession {
        var options = SessionOptions()
        options.makesConnections = !noConnect
        options.durationSeconds = duration
        options.statusSeconds = report.statusSeconds
        options.stopsSlowPlugins = !noWatchdog
        options.isTolerant = !strict
        let cores = self.cores?.cores ?? songs.cores
        if let line = cores.warning(isFromFile: self.cores == nil) { report.notify(line) }
        options.use(cores)
        options.timebase = timebase
        options.onProgress = onProgress
        options.captures = boxes
        options.nextIncident = { HostServices.disk.nextIncident() }
        if let saver { options.onSnapshot = { saver.save($0) } }
        return try JackSession(
            playing: songs, from: start, catalogue: catalogue, on: server, options: options)
    }
}
