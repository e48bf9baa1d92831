internal import ArgumentParser
internal import Threads
internal import LV2

/// `stompline plugin-host`: plays a plugin with `"isolate"` in a separate process; the program starts it.
struct PluginHostCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: PluginHost.command,
        abstract: "Play one plugin for another process of this program.", shouldDisplay: false)

    @Argument(help: "The process that it plays for.")
    var parent: Int32

    @Argument(help: "The plugin, for whoever looks at the list of processes.")
    var uri: String

    func run() throws {
        MemoryUse.limit()
        guard PluginHost.play(for: parent) else {
            throw Failure.usage("\(PluginHost.command) is for this program's own use")
        }
    }
}
