internal import ArgumentParser
internal import LV2
internal import Pipelines
internal import Processing

/// `stompline plugins`: which LV2 plugins there are.
struct PluginsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugins",
        abstract: "List the installed LV2 plugins, all or those that a text is found in.",
        discussion: """
            The text is looked for in the URI, the name, the author and the category.

            Examples:
              stompline plugins                      all, with channels in and out
              stompline plugins reverb               only those with 'reverb' somewhere
              stompline plugins calf --json          for scripts
              stompline plugin URI                   one with all its parameters
            """)

    @Argument(help: ArgumentHelp("What to look for, in any case.", valueName: "text"))
    var text = ""

    @Flag(help: "Print a JSON array.")
    var json = false

    func run() throws {
        let plugins = try PluginFault.ending { () throws(PluginFault) in
            try Surroundings.plugins().summaries(matching: text)
        }
        if json {
            try Console.put(.array(plugins.map(\.json)))
        } else if plugins.isEmpty {
            Console.complain(
                "no installed plugin has '\(text)' in its URI, name, author or category")
        } else {
            try Console.put(Self.list(plugins))
        }
    }

    private static func list(_ plugins: [PluginSummary]) -> String {
        var table = TextTable([.left, .left, .left, .left])
        for plugin in plugins {
            let missing = plugin.missingFeatures.joined(separator: ", ")
            table.add([
                plugin.uri, plugin.name, "\(plugin.audioInputCount)→\(plugin.audioOutputCount)",
                missing.isEmpty ? plugin.category : "not usable: needs \(missing)",
            ])
        }
        return table.text
    }
}

extension PluginSummary {
    /// `{"uri", "name", "author", "category", "inputs", "outputs", "missing_features", "bundle"}`.
    fileprivate var json: JSONValue {
        [
            "uri": .string(uri), "name": .string(name), "author": .string(author),
            "category": .string(category), "inputs": .integer(audioInputCount),
            "outputs": .integer(audioOutputCount),
            "missing_features": .array(missingFeatures.map { .string($0) }),
            "bundle": .string(bundlePath),
        ]
    }
}

extension PluginFault {
    /// Runs a body; its fault ends the command with the status for what is not there.
    ///
    /// - Throws: `Failure` with the fault's message.
    static func ending<Result>(_ body: () throws(PluginFault) -> Result) throws(Failure) -> Result {
        do {
            return try body()
        } catch {
            throw Failure(error.message, .unavailable)
        }
    }
}
