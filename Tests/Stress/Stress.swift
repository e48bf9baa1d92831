internal import ArgumentParser
internal import Effects
internal import Glibc
internal import JackHost
internal import LV2
internal import Pipelines
internal import Processing

/// Plays a pipeline on a JACK server while all that may move moves, to be watched by RealtimeSanitizer.
@main
struct Stress: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stress",
        abstract: "Play a pipeline while its values and the server's block length change.",
        discussion: """
            Noise goes into every input. Parameters, bypass and mix of all nodes jump at random some
            three hundred times a second, and the block length changes seven times a second.
            """)

    @Argument(help: "A pipeline file.")
    var file: String?

    @Option(help: "The JACK server's name.")
    var server: String

    @Option(help: "How long to play.")
    var seconds = 3.0

    @Option(help: "Another seed gives other random values.")
    var seed: UInt64 = 1

    @Option(help: "A folder of LV2 bundles beside the system's.")
    var plugins: [String] = []

    @Flag(help: "Play a node that allocates in the callback instead of a file.")
    var violate = false

    func validate() throws {
        if (file == nil) != violate { throw ValidationError("either a file or --violate") }
    }

    func run() throws {
        StopSignals.hold()
        // The clients here find their server by it.
        setenv("JACK_DEFAULT_SERVER", server, 1)
        let (pipeline, catalogue) = try material()
        let joined = try JoinedServer(clientName: "stress", server: server, mayStart: false)
        var options = SessionOptions()
        options.makesConnections = false
        // The sanitizer ends the program wherever it is.
        options.writesMetadata = false
        let session = try JackSession(
            playing: pipeline, catalogue: catalogue, on: joined, options: options)
        let stressor = Stressor(
            pipeline: pipeline, sampleRate: joined.sampleRate, remote: session.remote,
            seconds: seconds, seed: seed)
        let reason = try session.play { event in
            if case .started(let start) = event { stressor.start(client: start.clientName) }
            if let line = EventText.line(for: event) { print("\(pipeline.name): \(line)") }
        }
        print("\(pipeline.name): \(stressor.summary)")
        guard reason == .asked, stressor.summary.changes > 0 else { throw ExitCode.failure }
    }

    private func material() throws -> (Pipeline, Catalogue) {
        guard let file else { return (Violation.pipeline, Violation.catalogue) }
        // It lies beside this one.
        let program =
            realpath("/proc/self/exe", nil).map { own in
                defer { free(own) }
                return String(cString: own).split(separator: "/").dropLast().reduce("") {
                    "\($0)/\($1)"
                }
            } ?? ""
        let catalogue = Catalogue(
            effects: EffectCatalogue.effects,
            plugins: PluginWorld(bundleFolders: plugins, hostProgram: program + "/stompline"))
        return (try Pipeline(contentsOf: file, catalogue: catalogue), catalogue)
    }
}
