internal import ArgumentParser
internal import Glibc
internal import JackHost

/// The program, which consists of subcommands.
@main
struct Stompline: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stompline",
        abstract: "A live effects host for JACK: a JSON file is the pedalboard.",
        discussion: """
            Start here:
              stompline new                                 write your first pipeline
              stompline run pipelines/robot-voice.json      play it, until Ctrl-C
              stompline check pipelines/robot-voice.json    its errors, or its latency
              stompline effects                             the built-in effects
              stompline plugins reverb                      the matching LV2 plugins
              stompline ports                               the ports to connect to
              stompline doctor                              is this machine ready?
              stompline prove night.json                    what would go wrong on stage
              stompline render pipelines/robot-voice.json \\
                --input voice.wav --output robot.wav

            'stompline help COMMAND' shows a command with examples.
            'stompline --version --verbose' lists the libraries for a bug report.

            Exit status: 0 success, 1 ctl failed, doctor or prove found something bad,
            or a replay differs, 64 wrong usage, 65 the pipeline is not valid, 66 a file
            cannot be read, 69 no JACK server or a plugin is missing, 70 an internal
            error of the program, 74 reading or writing failed.
            """,
        version: Version.text,
        subcommands: [
            NewCommand.self, RunCommand.self, CheckCommand.self, RenderCommand.self,
            ConvertCommand.self, BenchCommand.self, ProveCommand.self, EffectsCommand.self,
            PluginsCommand.self, PluginCommand.self, PresetCommand.self, PortsCommand.self,
            MeasureCommand.self, DoctorCommand.self, ReplayCommand.self,
            CtlCommand.self, RemotesCommand.self, GraphCommand.self, SchemaCommand.self,
            ReferenceCommand.self, PluginProbeCommand.self,
            PluginHostCommand.self,
        ])

    /// The arguments of the command line.
    ///
    /// A session manager starts the program without arguments, which means `run`.
    private static var arguments: [String] {
        let given = Array(CommandLine.arguments.dropFirst())
        return given.isEmpty && ManagedSession.isWanted ? ["run"] : given
    }

    /// Whether the arguments ask for the versions of all libraries.
    ///
    /// The parser of the arguments has an option for the program's own version only.
    private static var wantsAllVersions: Bool {
        CommandLine.arguments.dropFirst().sorted() == ["--verbose", "--version"]
    }

    /// Runs the command that the arguments name, and exits with its status.
    static func main() {
        StandardDescriptors.reserve()
        StandardDescriptors.allowUsualCount()
        PipeWireProperties.playDuringCallbacks()
        do {
            if wantsAllVersions { return try Console.put(VersionReport().text) }
            var command = try parseAsRoot(arguments)
            Console.reserveOutput()
            try command.run()
        } catch let failure as Failure {
            Console.notify(failure.message)
            Glibc.exit(failure.status.rawValue)
        } catch {
            // A command that has printed its result ends with an exit code.
            guard exitCode(for: error) == .failure, !(error is ExitCode) else {
                Console.restoreOutput()
                exit(withError: error)
            }
            // Every expected error has its own status.
            Console.notify("\(error)")
            Glibc.exit(ExitStatus.internalError.rawValue)
        }
    }
}
