internal import ArgumentParser
internal import LV2
internal import Platform

/// `stompline plugin-host`: plays a plugin with `"isolate"` in a separate process; the program
/// starts it.
struct PluginHostCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: PluginHost.command,
        abstract: "Run one plugin for another process of this program.", shouldDisplay: false)

    @Argument(help: "The id of the other process.")
    var parent: Int32

    @Argument(help: "The URI of the plugin, for the list of processes.")
    var uri: String

    func run() throws {
        MemoryUse.limit()
        guard PluginHost.play(for: parent) else {
            throw Failure.usage("\(PluginHost.command) is only for use by this program itself")
        }
    }
}
