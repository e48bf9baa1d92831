internal import ArgumentParser
internal import JackHost
internal import LV2
internal import OfflineHost
internal import Pipelines
internal import Platform
internal import Processing
internal import Proof
internal import SessionCore
internal import SoundFiles

/// `stompline prove`: plays a whole night without a sound card, and reports what would go wrong.
struct ProveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prove",
        abstract: "Play a whole night without a sound card, and report what would go wrong.",
        discussion: """
            It plays every song and scene, each change between neighbours in both
            directions, each node bypassed and replaced by an edit that is undone, and both
            ends of each binding. It measures the load of every block against the period,
            and the levels, and collects every fault. Only --fix-levels changes a file.

            Examples:
              stompline prove night.json                 with the period of the JACK server
              stompline prove night.json --frames 64     with another period
              stompline prove night.json --input voice=voice.wav --input guitar=riff.wav
              stompline prove night.json --real-time     all loads as with a sound card
              stompline prove night.json --json          for scripts
              stompline prove night.json --html proof.html
              stompline prove night.json --input voice=voice.wav --fix-levels
              stompline prove song.json --input voice=voice.wav --fix-levels --fix scenes

            Without --input, inputs receive a test signal: syllables of noise and a chord.
            The costliest steps are measured in real time, as with a sound card. In all
            others, each block counts with the shortest of its times, so other programs
            do not count if they interrupt the measurement.

            Exit status: 0 if nothing is bad, 1 if something is, 65 and 66 as for check.
            """)

    @Argument(
        help: ArgumentHelp("A pipeline or a setlist file.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var file: String

    @Option(
        help: ArgumentHelp(
            "A sound file for an input; without a name, for the first audio input.",
            valueName: "[name=]file"),
        completion: .file())
    var input: [String] = []

    @Option(
        help: ArgumentHelp(
            "Frames per block (default: of the running JACK server, else 128).",
            valueName: "frames"))
    var frames: Int?

    @Option(
        help: ArgumentHelp(
            "Sample rate (default: of the running JACK server, else 48000).", valueName: "hertz"))
    var rate: Int?

    @Option(
        help: ArgumentHelp(
            "Time for each song and scene; other changes take a quarter.", valueName: "seconds"))
    var seconds = 2.0

    @Option(
        help: ArgumentHelp(
            "The number of times that everything is played to measure it.", valueName: "count"))
    var passes = 3

    @Flag(help: "Measure all steps in real time, not only the costliest ones.")
    var realTime = false

    @Option(
        help: ArgumentHelp(
            "The number of cores that run the nodes: auto, or 1 to 32 (default: the file's, or 1).",
            valueName: "count"))
    var cores: CoresArgument?

    @Option(help: ArgumentHelp("The JACK server's name (default: JACK's own).", valueName: "name"))
    var server: String?

    @Flag(help: "Print a JSON object.")
    var json = false

    @Option(
        help: ArgumentHelp("Also write a page with plots into this file.", valueName: "file"),
        completion: .file(extensions: ["html"]))
    var html: String?

    @Flag(
        help:
            "Write gains of songs and scenes into their files, so that all are equally loud.")
    var fixLevels = false

    @Option(
        help: ArgumentHelp(
            "The gains that --fix-levels writes: songs, scenes or all.", valueName: "part"))
    var fix: LevelFix.Scope = .all

    @Option(
        help: ArgumentHelp(
            "An audio output whose loudness counts for songs and scenes (default: all together).",
            discussion: "Repeat it for several outputs.", valueName: "name"))
    var output: [String] = []

    @OptionGroup var permissionOptions: PermissionOptions

    func validate() throws {
        if let frames { try Limits.check(frames: frames) }
        if let rate { try Limits.check(rate: rate) }
        try Limits.check(stepSeconds: seconds)
        try Limits.check(passes: passes)
        if fix != .all, !fixLevels {
            throw ValidationError("--fix requires --fix-levels")
        }
    }

    func run() throws {
        let world = HostServices.plugins(refusesHungPlugins: true)
        let permissions = permissionOptions.permissions
        let catalogue = HostServices.benchCatalogue(with: world, permissions: permissions)
        var request = ProofRequest()
        let source = setFormat(of: &request)
        request.seconds = seconds
        request.passes = passes
        request.isPaced = realTime
        let start = MonotonicTime.nowSeconds
        let songs = try SongReader(file, catalogue: catalogue, isTolerant: true)
            .readOrFail(sampleRate: request.sampleRate)
        guard songs.songs.contains(where: \.isPlayable) else {
            Console.show(songs.problems.map(\.diagnostic))
            throw ExitStatus.invalidPipeline.code
        }
        try keepFiles(of: songs)
        let check = EditCheck(catalogue: catalogue, sampleRate: request.sampleRate)
        let texts = try fixLevels ? textsToFix(of: songs, check) : nil
        let readSeconds = MonotonicTime.nowSeconds - start
        request.use(cores?.cores ?? songs.cores)
        request.sounds = try sounds(of: songs, request)
        request.outputs = try outputs(of: songs)
        // The trials are first: a plugin must not end or hold up this process.
        let plugins = HostServices.pluginList(of: world)
        let trials = PluginFaults(of: songs, plugins)
        var night = try play(trials.protecting(songs), catalogue, request)
        night.startSeconds += readSeconds
        night.pluginFaults = trials.faults
        night.denormalTrials =
            DenormalTrials(of: songs, plugins, hangingPlugins: trials.hangingPlugins).trials
        let report = ProofReport(night, formatSource: source)
        if json { try Console.put(report.json) } else { try Console.put(report.text) }
        if let html {
            let page = Array(ProofPage(night).text.utf8)
            try StarterFile.write(page, to: html, isReplacing: true)
        }
        if let texts {
            try LevelFix(night, fix).write(over: texts, file: file) { Console.notify($0) }
        }
        if report.isBad { throw ExitStatus.failed.code }
    }

    /// Returns the present texts of the files whose gains may change.
    ///
    /// - Throws: `Failure` if there are no such gains, or no sound to compare the songs with.
    private func textsToFix(
        of songs: SongCollection, _ check: EditCheck
    ) throws -> LevelFix.Texts {
        guard songs.isSetlist || fix.hasScenes else {
            throw Failure.usage(
                "--fix songs requires a setlist, and \(file) is a single pipeline")
        }
        let hasInputs = songs.songs.flatMap(\.pipeline.inputs).contains { $0.kind == .audio }
        guard !hasInputs || !input.isEmpty else {
            throw Failure.usage(
                "--fix-levels requires the sound of the band (--input), because the test signal "
                    + "does not have its levels")
        }
        return try LevelFix.Texts(of: songs, file: file, fix, check: check)
    }

    /// Throws `Failure` if the page cannot be written, or would replace a file that is played.
    private func keepFiles(of songs: SongCollection) throws {
        guard let html else { return }
        try StarterFile.requireWritable(html)
        guard let page = AbsolutePath.resolvingLinks(html) else { return }
        let sounds = input.compactMap { $0.split(separator: "=", maxSplits: 1).last }
            .map(String.init)
        let played = [file] + songs.songs.map(\.path) + sounds
        guard !played.contains(where: { AbsolutePath.resolvingLinks($0) == page }) else {
            throw Failure.usage("--html would replace \(html), which is played")
        }
    }

    /// Sets the period and the rate.
    ///
    /// - Returns: Where they come from.
    private func setFormat(of request: inout ProofRequest) -> String {
        let known = frames == nil || rate == nil ? try? ServerFormat(ofServer: server) : nil
        request.blockFrames = frames ?? known?.blockFrames ?? request.blockFrames
        request.sampleRate = rate.map(Double.init) ?? known?.sampleRate ?? request.sampleRate
        if frames != nil { return "as given" }
        return known == nil
            ? "no JACK server runs, so this is assumed" : "of the running JACK server"
    }

    private func sounds(
        of songs: SongCollection, _ request: ProofRequest
    ) throws -> [String: [[Float]]] {
        let inputs = songs.songs.flatMap(\.pipeline.inputs).filter { $0.kind == .audio }
        var names: [String] = []
        for name in inputs.map(\.name) where !names.contains(name) { names.append(name) }
        var sounds: [String: [[Float]]] = [:]
        for argument in input {
            let file = try NamedFileArgument.resolve(argument, option: "--input", names: names)
            guard names.contains(file.name) else {
                throw Failure.usage("--input: no song has an audio input '\(file.name)'")
            }
            guard sounds[file.name] == nil else {
                throw Failure.usage("--input: '\(file.name)' has two files; give only one")
            }
            do throws(SoundFileError) {
                sounds[file.name] = try SoundFile.open(file.path).frames(at: request.sampleRate)
                    .readChannels()
            } catch {
                throw Failure(error)
            }
        }
        return sounds
    }

    /// Returns the outputs whose loudness counts; empty for all.
    ///
    /// - Throws: `Failure` if no song has one of them.
    private func outputs(of songs: SongCollection) throws -> Set<String> {
        let known = songs.songs.flatMap(\.pipeline.outputs).filter { $0.kind == .audio }
        for name in output where !known.contains(where: { $0.name == name }) {
            throw Failure.usage("--output: no song has an audio output '\(name)'")
        }
        return Set(output)
    }

    private func play(
        _ songs: SongCollection, _ catalogue: Catalogue, _ request: ProofRequest
    ) throws -> PlayedNight {
        let progress = ProgressLine("playing")
        defer { progress.end() }
        do throws(SessionError) {
            return try NightPlayer(songs, catalogue: catalogue, request).play(
                progress: progress.show)
        } catch {
            switch error {
            case .preparation(let error): throw Failure(error)
            case .signals(let message): throw Failure(message, .invalidPipeline)
            }
        }
    }
}
