internal import ArgumentParser
internal import LV2
internal import Pipelines
internal import Processing

/// `stompline plugin URI`: shows an LV2 plugin with everything that a pipeline can set.
struct PluginCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugin",
        abstract: "Show an LV2 plugin: its ports, parameters and presets, and a node to paste.",
        discussion: """
            Examples:
              stompline plugins reverb                                       find its URI
              stompline plugin http://calf.sourceforge.net/plugins/Reverb    show it
              stompline plugin http://lv2plug.in/plugins/eg-amp --json       for scripts

            With --json, "node" is an entry for the "nodes" of a pipeline:
              stompline plugin http://lv2plug.in/plugins/eg-amp --json | jq .node
            """)

    @Argument(help: ArgumentHelp("The plugin's URI.", valueName: "uri"))
    var uri: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let page = try PluginError.ending { () throws(PluginError) -> PluginPage in try self.page()
        }
        if json { try Console.put(page.json) } else { try Console.put(page.text) }
    }

    private func page() throws(PluginError) -> PluginPage {
        let world = HostServices.plugins()
        return PluginPage(
            description: try world.description(ofPlugin: uri),
            summary: try world.summary(ofPlugin: uri), presets: try world.presets(ofPlugin: uri),
            verdict: try HostServices.pluginList(of: world).verdict(on: uri))
    }
}
