internal import ArgumentParser
internal import Engine
internal import OfflineHost
internal import Pipelines
internal import Processing
internal import Recorders
internal import SoundFiles

/// `stompline render`: plays files through a pipeline into files.
struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Send sound files through a pipeline into sound files, without JACK.",
        discussion: """
            Examples:
              stompline render pipelines/robot-voice.json \\
                --input voice.wav --output robot.wav
              stompline render pipelines/ducking.json \\
                --input music=song.flac --input voice=voice.wav --output main=mix.flac
              stompline render piano.json --input melody.mid --output piano.wav
              stompline render night.json --song Ballad --input voice.wav --output ballad.wav
              stompline render pipelines/parallel-reverb.json \\
                --input voice.wav --output hall.wav --tail 4 \\
                --scene verse --scene chorus@31.5 --set verb.time=3.5@40

            The engine is the same as in a live session. An output is as long as the
            longest input, and its frame n belongs to frame n of the inputs: the latency
            of the pipeline is removed, and a change at a time meets the sound of that
            time. With --keep-latency the outputs keep the latency of a live session, and
            changes act that many seconds after the start.

            Without an input file, an output is as long as the longest player plays.
            Takes of recorders start and end with the outputs. An input without a file
            is silent. A mono file feeds every channel of its input. A file with another
            sample rate is converted. Outputs are 32-bit float WAV unless their name
            ends in .flac, .ogg, .opus, .mp3, .aiff, .caf, .au, .w64 or .rf64.
            """)

    @Argument(
        help: ArgumentHelp("A pipeline or a setlist file.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var file: String

    @OptionGroup var songOption: SongOption

    @Option(
        help: ArgumentHelp(
            "A sound file or a MIDI file for an input; without a name, for the first of its kind.",
            valueName: "[name=]file"),
        completion: .file())
    var input: [String] = []

    @Option(
        help: ArgumentHelp(
            "A sound file or a MIDI file for an output; without a name, for the first of its kind.",
            valueName: "[name=]file"),
        completion: .file())
    var output: [String] = []

    @Option(help: ArgumentHelp("Frames per block.", valueName: "frames"))
    var block = 64

    @Option(
        help: ArgumentHelp(
            "Sample rate (default: that of the first input file, else 48000).", valueName: "hertz"))
    var rate: Int?

    @Option(help: ArgumentHelp("Extra time after the longest input.", valueName: "seconds"))
    var tail: Double?

    @Option(help: ArgumentHelp("The exact length of the outputs.", valueName: "seconds"))
    var length: Double?

    @Option(
        help: ArgumentHelp(
            "The number of cores that run the nodes; the outputs do not depend on it.",
            valueName: "count"))
    var cores = 1

    @Flag(help: "Keep the latency that the outputs have in a live session.")
    var keepLatency = false

    @OptionGroup var moves: ChangeOptions

    @OptionGroup var permissionOptions: PermissionOptions

    func validate() throws {
        if output.isEmpty {
            throw ValidationError("no output file given; try: --output result.wav")
        }
        try Limits.check(block: block)
        if let rate { try Limits.check(rate: rate) }
        try Limits.check(cores: cores)
        if let tail { try Limits.check("--tail", seconds: tail) }
        if let length { try Limits.check("--length", seconds: length) }
        if tail != nil, length != nil {
            throw ValidationError("--length and --tail exclude each other")
        }
    }

    func run() throws {
        let catalogue = HostServices.catalogue(permissions: permissionOptions.permissions)
        let inputs = try LoadedPipeline(
            file, songOption, sampleRate: 48_000, catalogue: catalogue
        ).pipeline.inputs
        let audioInputs = inputs.filter { $0.kind == .audio }.map(\.name)
        let inputFiles = try named(
            input, "--input", audioInputs, inputs.filter { $0.kind == .midi }.map(\.name))
        let sound = inputFiles.first { audioInputs.contains($0.name) }
        let sampleRate = try rate.map(Double.init) ?? self.sampleRate(of: sound)
        // Some ranges are multiples of the rate, so the file is read for the rate of the render.
        let pipeline = try LoadedPipeline(
            file, songOption, sampleRate: sampleRate, catalogue: catalogue
        ).pipeline
        let outputFiles = try named(
            output, "--output", pipeline.outputs.filter { $0.kind == .audio }.map(\.name),
            pipeline.outputs.filter { $0.kind == .midi }.map(\.name))
        var request = RenderRequest(
            inputs: inputFiles, outputs: outputFiles, sampleRate: sampleRate)
        request.blockFrames = block
        request.tailSeconds = tail ?? 0
        request.lengthSeconds = length
        request.keepsLatency = keepLatency
        request.coreCount = cores
        request.changes = try moves.changes(of: pipeline)
        request.settings = try moves.settings(of: pipeline)
        request.scenes = try moves.scenes(of: pipeline)
        try render(pipeline, catalogue, request)
    }
}

extension RenderCommand {
    private func named(
        _ arguments: [String], _ option: String, _ audio: [String], _ midi: [String]
    ) throws -> [RenderRequest.NamedFile] {
        try arguments.map {
            let isMIDI = $0.hasSuffix(".mid") || $0.hasSuffix(".midi")
            return try NamedFileArgument.resolve($0, option: option, names: isMIDI ? midi : audio)
        }
    }

    private func sampleRate(of input: RenderRequest.NamedFile?) throws -> Double {
        guard let input else { return 48_000 }
        do throws(SoundFileError) {
            return try SoundFile.open(input.path).sampleRate
        } catch {
            throw Failure(error)
        }
    }

    private func render(
        _ pipeline: Pipeline, _ catalogue: Catalogue, _ request: RenderRequest
    ) throws {
        var report = RenderReport(of: pipeline)
        do throws(RenderError) {
            let render = try OfflineRender(pipeline, catalogue: catalogue, request)
            let progress = ProgressLine("rendering")
            try render.run(progress: progress.show)
            progress.end()
            report.report(render)
        } catch {
            throw Failure(error)
        }
        // The results of takes are known when their recorders are freed.
        while let found = HostServices.disk.nextIncident() {
            report.report(found.incident, of: found.node)
        }
        if report.hasIncompleteTake { throw ExitStatus.failedWrite.code }
        if report.hasSilencedPlayer { throw ExitStatus.unavailable.code }
    }
}
