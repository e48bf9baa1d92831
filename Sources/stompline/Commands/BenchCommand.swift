internal import ArgumentParser
internal import OfflineHost
internal import Pipelines
internal import Platform

/// `stompline bench`: measures the load of a pipeline.
struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure the cost of each node of a pipeline, without JACK.",
        discussion: """
            Examples:
              stompline bench pipelines/robot-voice.json    at 64 frames and 48 kHz
              stompline bench pipelines/robot-voice.json --block 256 --rate 96000
              stompline bench pipelines/robot-voice.json --set robot.shift=300@0.5 --json
              stompline bench night.json --song 7           a song of a setlist
              stompline bench pipelines/parallel-reverb.json --cores 2

            Each figure is a share of the period, which is the duration of a block:
            the median block, the limit that 99.9 % of the blocks stay within, and the
            worst block. The pipeline processes the same noise at least five times.
            The shortest time of each block counts, so interruptions by other programs
            do not. Compare only figures from the same quiet machine.

            With --cores, it also prints what more cores bring: the predicted and the
            measured time of a block. For more cores than this machine has, the time is
            only simulated.
            """)

    @Argument(
        help: ArgumentHelp("A pipeline or a setlist file.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var file: String

    @OptionGroup var songOption: SongOption

    @Option(help: ArgumentHelp("Frames per block.", valueName: "frames"))
    var block = 64

    @Option(help: ArgumentHelp("Sample rate.", valueName: "hertz"))
    var rate = 48_000

    @Option(
        help: ArgumentHelp(
            "Length of the noise; the first tenth does not count.", valueName: "seconds"))
    var seconds = 2.0

    @Option(
        help: ArgumentHelp(
            "Also measure the pipeline on up to this many cores.", valueName: "count"))
    var cores = 1

    @Flag(help: "Print JSON: nanoseconds per frame, for all channels together.")
    var json = false

    @OptionGroup var moves: ChangeOptions

    @OptionGroup var permissionOptions: PermissionOptions

    func validate() throws {
        try Limits.check(block: block)
        try Limits.check(rate: rate)
        try Limits.check(cores: cores)
        try Limits.check("--seconds", seconds: seconds)
    }

    func run() throws {
        let source = try LoadedPipeline(
            file, songOption, sampleRate: Double(rate),
            catalogue: HostServices.benchCatalogue(permissions: permissionOptions.permissions))
        var request = OfflineBench.Request()
        request.blockFrames = block
        request.sampleRate = Double(rate)
        request.seconds = seconds
        request.changes = try moves.changes(of: source.pipeline)
        request.settings = try moves.settings(of: source.pipeline)
        if request.settings.contains(where: { $0.seconds > 0 && !$0.settings.isEmpty }) {
            throw Failure.usage(
                "--scene: a scene that changes settings is measured from the start; leave out '@' and the time"
            )
        }
        request.coreCount = cores
        let report = try Self.report(on: source, request)
        if json { try Console.put(report.json) } else { try Console.put(report.text) }
    }

    private static func report(
        on source: LoadedPipeline, _ request: OfflineBench.Request
    ) throws -> BenchReport {
        guard request.coreCount > 1 else {
            let bench = OfflineBench(source.pipeline, catalogue: source.catalogue, request)
            return BenchReport(try run(bench), of: source.pipeline, request)
        }
        let bench = CoreBench(
            source.pipeline, catalogue: source.catalogue, request,
            availableCores: ProcessorCount.online)
        do throws(RenderError) {
            let result = try bench.run()
            return BenchReport(result.oneCore, of: source.pipeline, request, cores: result)
        } catch {
            throw Failure(error)
        }
    }

    private static func run(_ bench: OfflineBench) throws -> OfflineBench.Result {
        do throws(RenderError) {
            return try bench.run()
        } catch {
            throw Failure(error)
        }
    }
}
