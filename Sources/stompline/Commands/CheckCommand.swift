internal import ArgumentParser
internal import Pipelines
internal import Processing

/// `stompline check`: shows the errors of pipeline files, or their latency.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Report all errors of pipeline files, or the latency of valid ones.",
        discussion: """
            Examples:
              stompline check pipelines/talkback.json    channels, latency, plugins
              stompline check pipelines/*.json           a whole folder
              stompline check pipelines/talkback.json --json

            The command loads the plugins, so a file that passes can run. Errors go to
            standard error as FILE:LINE:COLUMN: error: MESSAGE [CODE]. With --json,
            for scripts, standard output has the errors and the latency of each node.
            For each output with latency, the command names the nodes that make it late,
            and the latency without each of them; then the paths that are not aligned.
            If you check several files, the most serious error determines the exit
            status: 66 (a file cannot be read) before 65 (a file is not valid) before
            69 (only plugins are missing).

            If a JACK server runs, the command warns of each "connect" that matches none
            of its ports. It starts no server.
            """)

    @Argument(
        help: ArgumentHelp("Pipeline files.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var files: [String]

    @Flag(help: "Print a JSON array with an object for each file.")
    var json = false

    @Option(help: ArgumentHelp("Sample rate to check for.", valueName: "hertz"))
    var rate = 48_000

    @Option(
        help: ArgumentHelp(
            "The JACK server whose ports \"connect\" is compared with (default: JACK's own).",
            valueName: "name"))
    var server: String?

    @OptionGroup var permissionOptions: ReadOnlyOptions

    func validate() throws {
        if files.isEmpty { throw ValidationError("no file given; try: stompline check voice.json") }
        try Limits.check(rate: rate)
    }

    func run() throws {
        let world = HostServices.plugins()
        let catalogue = HostServices.catalogue(
            with: world, permissions: permissionOptions.permissions)
        let plugins = HostServices.pluginList(of: world)
        let ports = RunningPorts(server: server)
        let reports = files.map {
            CheckReport(
                $0, catalogue: catalogue, plugins: plugins, ports: ports, sampleRate: Double(rate))
        }
        if json {
            try Console.put(.array(reports.map(\.json)))
        } else {
            for report in reports { try report.show() }
        }
        if let status = reports.compactMap(\.exitStatus).min(by: CheckReport.isMoreSevere) {
            throw status.code
        }
    }
}
