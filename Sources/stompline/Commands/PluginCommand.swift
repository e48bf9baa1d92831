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
              stompline plugin "Calf Reverb"                                 by its name
              stompline plugin http://lv2plug.in/plugins/eg-amp --json       for scripts

            With --json, "node" is an entry for the "nodes" of a pipeline:
              stompline plugin http://lv2plug.in/plugins/eg-amp --json | jq .node
            """)

    @Argument(help: ArgumentHelp("The plugin's URI, or its name.", valueName: "uri"))
    var plugin: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let world = HostServices.plugins()
        let uri = try uri(in: world)
        let page = try PluginError.ending { () throws(PluginError) -> PluginPage in
            try Self.page(of: uri, in: world)
        }
        if json { try Console.put(page.json) } else { try Console.put(page.text) }
    }

    /// The maximum number of candidates that are shown.
    private static let maximumCandidates = 20

    /// Returns the URI of the plugin with the given URI or name.
    ///
    /// A part of a name is sufficient if no other plugin's name contains it.
    ///
    /// - Throws: `ExitCode` after the candidates were shown if several plugins have that name.
    private func uri(in world: PluginWorld) throws -> String {
        let wanted = plugin.lowercased()
        // Reading the names of all plugins is slow.
        let isKnown = (try? world.summary(ofPlugin: plugin)) != nil
        guard !isKnown, !wanted.isEmpty else { return plugin }
        let summaries = try PluginError.ending { () throws(PluginError) in try world.summaries() }
        let named = summaries.filter { $0.name.lowercased() == wanted }
        let candidates =
            named.isEmpty ? summaries.filter { $0.name.lowercased().contains(wanted) } : named
        guard candidates.count > 1 else { return candidates.first?.uri ?? plugin }
        Console.notify("several plugins have '\(plugin)' in their names; use one of their URIs:")
        for candidate in candidates.prefix(Self.maximumCandidates) {
            Console.notify("\(candidate.uri)  \(candidate.name)")
        }
        if candidates.count > Self.maximumCandidates {
            Console.notify(
                "and \(candidates.count - Self.maximumCandidates) more; "
                    + "'stompline plugins' lists them all")
        }
        throw ExitStatus.unavailable.code
    }

    private static func page(
        of uri: String, in world: PluginWorld
    ) throws(PluginError) -> PluginPage {
        PluginPage(
            description: try world.description(ofPlugin: uri),
            summary: try world.summary(ofPlugin: uri), presets: try world.presets(ofPlugin: uri),
            verdict: try HostServices.pluginList(of: world).verdict(on: uri))
    }
}
