internal import ArgumentParser
internal import OfflineHost
internal import Pipelines

/// `stompline bench`: measures the load of a pipeline.
struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure what each node of a pipeline costs, on noise, without JACK.",
        discussion: """
            Examples:
              stompline bench pipelines/robot-voice.json    at 64 frames and 48 kHz
              stompline bench pipelines/robot-voice.json --block 256 --rate 96000
              stompline bench pipelines/robot-voice.json --set robot.shift=300@0.5 --json

            Each figure is a share of the period, the time that a block lasts: the
            median block, what 99.9 % of the blocks stay within, and the worst. The
            pipeline is played at least five times over the same noise, and each block
            counts with its least time, so that another program's interruption does
            not count. Compare figures of one quiet machine only.
            """)

    @Argument(
        help: ArgumentHelp("The pipeline file.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var file: String

    @Option(help: ArgumentHelp("Frames of a block.", valueName: "frames"))
    var block = 64

    @Option(help: ArgumentHelp("Frames a second.", valueName: "hertz"))
    var rate = 48_000

    @Option(
        help: ArgumentHelp(
            "How much sound is played each time; the first tenth does not count.",
            valueName: "seconds"))
    var seconds = 2.0

    @Flag(help: "Print JSON, in nanoseconds a frame, all channels together.")
    var json = false

    @OptionGroup var moves: ChangeOptions

    @OptionGroup var may: PermissionOptions

    func validate() throws {
        try Limits.check(block: block)
        try Limits.check(rate: rate)
        try Limits.check("--seconds", seconds: seconds)
    }

    func run() throws {
        let source = try LoadedPipeline(
            file, sampleRate: Double(rate),
            catalogue: Surroundings.benchCatalogue(permissions: may.permissions))
        var request = OfflineBench.Request()
        request.blockFrames = block
        request.sampleRate = Double(rate)
        request.seconds = seconds
        request.changes = try moves.changes(of: source.pipeline)
        let bench = OfflineBench(source.pipeline, catalogue: source.catalogue, request)
        let report = BenchReport(try Self.run(bench), of: source.pipeline, request)
        if json { try Console.put(report.json) } else { try Console.put(report.text) }
    }

    private static func run(_ bench: OfflineBench) throws -> OfflineBench.Result {
        do throws(RenderFault) {
            return try bench.run()
        } catch {
            throw Failure(error)
        }
    }
}
