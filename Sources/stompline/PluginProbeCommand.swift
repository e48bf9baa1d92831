internal import ArgumentParser
internal import LV2

/// `stompline plugin-probe`: tries plugins for the program that started it; not for people.
struct PluginProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugin-probe", abstract: "Try plugins in this process.",
        shouldDisplay: false)

    @Argument(help: "The plugins' URIs.")
    var uris: [String] = []

    func run() { ProbeProcess.probe(uris, in: Surroundings.plugins()) }
}
