internal import ArgumentParser
internal import Drawing
internal import Engine
internal import Pipelines
internal import Processing

/// `stompline graph`: draws a pipeline.
struct GraphCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph",
        abstract: "Draw a pipeline or a song of a setlist, for Graphviz or as an SVG.",
        discussion: """
            Examples:
              stompline graph pipelines/talkback.json --svg > talkback.svg
              stompline graph pipelines/talkback.json --svg --rate 96000 > talkback.svg
              stompline graph pipelines/talkback.json | dot -Tpdf -o talkback.pdf
              stompline graph night.json --song Ballad --svg > ballad.svg

            The signal flows from left to right. A card shows a node, with the values
            at load, including those of the initial scene, that differ from their
            defaults; a cable is one line for mono and two for stereo. A time on a cable
            is the latency of the signal there. A time with + is the delay that aligns
            the signal with others. The card of an output names the nodes that make it
            late, each with the latency of the output without it.
            """)

    @Argument(
        help: ArgumentHelp("A pipeline or a setlist file.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var file: String

    @Flag(help: "Print an SVG instead of Graphviz' DOT.")
    var svg = false

    @OptionGroup var songOption: SongOption

    @Option(help: ArgumentHelp("Sample rate for the latencies.", valueName: "hertz"))
    var rate = 48_000

    @OptionGroup var permissionOptions: ReadOnlyOptions

    func validate() throws { try Limits.check(rate: rate) }

    func run() throws {
        let source = try LoadedPipeline(
            file, songOption, sampleRate: Double(rate),
            catalogue: HostServices.catalogue(permissions: permissionOptions.permissions))
        let plan = try plan(of: source)
        var pipeline = source.pipeline.atLoad
        pipeline.name = source.title
        let diagram = SignalDiagram(of: pipeline, latencies: GraphLatencies(pipeline, plan))
        try Console.put(svg ? diagram.svg : diagram.dot)
    }

    private func plan(of source: LoadedPipeline) throws -> Plan {
        do throws(PreparationError) {
            let format = AudioFormat(sampleRate: Double(rate), maximumBlockFrames: 1024)
            return try Schedule(
                preparing: source.pipeline, catalogue: source.catalogue, format: format
            ).plan
        } catch {
            throw Failure(error)
        }
    }
}
