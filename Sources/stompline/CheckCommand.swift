internal import ArgumentParser
internal import Pipelines
internal import Processing

/// `stompline check`: shows the errors of pipeline files, or their latency.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say everything that is wrong with pipeline files, or how late they are.",
        discussion: """
            Examples:
              stompline check pipelines/talkback.json    channels, latency, plugins
              stompline check pipelines/*.json           a whole folder
              stompline check pipelines/talkback.json --json

            Plugins are loaded, so a file that passes plays. With --json, for scripts, come
            each node's latency and the faults as objects. Faults go to standard
            error as FILE:LINE:COLUMN: error: MESSAGE [CODE]. Of several files the
            gravest fault decides the exit status: 66 (cannot be read) before 65 (not
            valid) before 69 (only plugins are missing).
            """)

    @Argument(
        help: ArgumentHelp("Pipeline files.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var files: [String]

    @Flag(help: "Print a JSON array with an object for each file.")
    var json = false

    @Option(help: ArgumentHelp("Frames a second to check for.", valueName: "hertz"))
    var rate = 48_000

    @OptionGroup var may: LookingOptions

    func validate() throws {
        if files.isEmpty { throw ValidationError("Which file? Try: stompline check voice.json") }
        try Limits.check(rate: rate)
    }

    func run() throws {
        let world = Surroundings.plugins()
        let catalogue = Surroundings.catalogue(with: world, permissions: may.permissions)
        let plugins = Surroundings.pluginList(of: world)
        let reports = files.map {
            CheckReport($0, catalogue: catalogue, plugins: plugins, sampleRate: Double(rate))
        }
        if json {
            try Console.put(.array(reports.map(\.json)))
        } else {
            for report in reports { try report.show() }
        }
        if let status = reports.compactMap(\.exitStatus).min(by: CheckReport.isGraver) {
            throw status.code
        }
    }
}
