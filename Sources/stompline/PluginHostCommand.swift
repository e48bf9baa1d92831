internal import ArgumentParser
internal import JackHost
internal import LV2

/// `stompline plugin-host`: what the program starts by itself, to play a plugin with `"isolate"` in a process of its own.
struct PluginHostCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: PluginHost.command,
        abstract: "Play one plugin for another process of this program.", shouldDisplay: false)

    @Argument(help: "The process that it plays for.")
    var parent: Int32

    @Argument(help: "The plugin's URI, for those who look at the list of processes.")
    var plugin: String?

    func run() throws {
        MemoryUse.limit()
        guard PluginHost.play(for: parent) else {
            throw Failure.usage("\(PluginHost.command) is for this program's own use")
        }
    }
}
