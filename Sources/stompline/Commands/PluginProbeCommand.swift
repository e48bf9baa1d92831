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

    @Flag(help: "Try how the plugins treat denormals.")
    var denormals = false

    @Option(help: "The value of each parameter, separated by commas.")
    var values = ""

    func run() {
        guard !denormals else {
            let values = values.split(separator: ",").compactMap { Float($0) }
            for uri in uris {
                ProbeProcess.probeDenormals(
                    uri, values: values, in: HostServices.plugins(), scratchFolder: scratch)
            }
            return
        }
        ProbeProcess.probe(uris, in: HostServices.plugins(), scratchFolder: scratch)
    }
}
