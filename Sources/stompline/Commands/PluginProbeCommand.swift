internal import ArgumentParser
internal import LV2

/// `stompline plugin-probe`: tries plugins in a separate process; the program starts it.
struct PluginProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugin-probe", abstract: "Try plugins in this process.",
        shouldDisplay: false)

    @Argument(help: "The plugins' URIs.")
    var uris: [String] = []

    @Option(help: "The only folder that the plugins may write to.")
    var scratch = ""

    @Flag(help: "Try how the plugin in the folder's request treats denormals.")
    var denormals = false

    func run() {
        let plugins = HostServices.plugins()
        if denormals {
            ProbeProcess.probeDenormals(in: plugins, scratchFolder: scratch)
        } else {
            ProbeProcess.probe(uris, in: plugins, scratchFolder: scratch)
        }
    }
}
