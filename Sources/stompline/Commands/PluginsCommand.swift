internal import ArgumentParser
internal import LV2
internal import Pipelines
internal import Processing

/// `stompline plugins`: lists the LV2 plugins.
struct PluginsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugins",
        abstract: "List the installed LV2 plugins, or those that match a text.",
        discussion: """
            The command searches for the text in the URI, the name, the author and the
            category. Each line has the URI, the name, the channels in and out, the
            latency in frames at 48 kHz, the category, and the result of the last trial.

            Examples:
              stompline plugins                      all, with channels in and out
              stompline plugins reverb               only those that match 'reverb'
              stompline plugins calf --json          for scripts
              stompline plugins --probe              try them all, save the results
              stompline plugin URI                   one with all its parameters
            """)

    @Argument(help: ArgumentHelp("The text to search for, in any case.", valueName: "text"))
    var text = ""

    @Flag(help: "Try each plugin in a separate process first, which takes a while.")
    var probe = false

    @Flag(help: "Print a JSON array.")
    var json = false

    func run() throws {
        let list = HostServices.pluginList()
        let plugins = try PluginError.ending { () throws(PluginError) in
            if probe { probeAll(try list.plugins(matching: text), in: list) }
            return try list.plugins(matching: text)
        }
        if json {
            try Console.put(.array(plugins.map(\.json)))
        } else if plugins.isEmpty {
            Console.notify(
                "no installed plugin has '\(text)' in its URI, name, author or category")
        } else {
            try Console.put(Self.table(plugins))
            let count = plugins.count { $0.verdict == nil }
            if count > 0 { Console.notify("\(count) not tried yet; --probe tries them") }
        }
    }

    private func probeAll(_ plugins: [KnownPlugin], in list: PluginList) {
        list.probe(plugins) { Console.progress("tried \($0) of \(plugins.count)") }
        Console.progress("")
    }

    private static func table(_ plugins: [KnownPlugin]) -> String {
        var table = TextTable([.left, .left, .left, .right, .left, .left])
        for plugin in plugins {
            let summary = plugin.summary
            table.add([
                summary.uri, summary.name,
                "\(summary.audioInputCount)→\(summary.audioOutputCount)",
                plugin.verdict.map { "\($0.latencyFrames)" } ?? "", summary.category,
                plugin.verdictText,
            ])
        }
        return table.text
    }
}

extension KnownPlugin {
    /// The result of the trial in a few words.
    fileprivate var verdictText: String {
        let missing = summary.missingFeatures.joined(separator: ", ")
        return missing.isEmpty
            ? verdict?.description ?? "not tried" : "not usable: needs \(missing)"
    }

    /// `{"uri", "name", "author", "category", "inputs", "outputs", "missing_features", "bundle",
    /// "verdict"}`; the verdict is null if it was not tried.
    fileprivate var json: JSONValue {
        [
            "uri": .string(summary.uri), "name": .string(summary.name),
            "author": .string(summary.author), "category": .string(summary.category),
            "inputs": .integer(summary.audioInputCount),
            "outputs": .integer(summary.audioOutputCount),
            "missing_features": .array(summary.missingFeatures.map { .string($0) }),
            "bundle": .string(summary.bundlePath), "verdict": verdict?.json ?? .null,
        ]
    }
}

extension PluginError {
    /// Runs a body; its error ends the command with the status for unavailable things.
    ///
    /// - Throws: `Failure` with the message of the error.
    static func ending<Result>(_ body: () throws(PluginError) -> Result) throws(Failure) -> Result {
        do {
            return try body()
        } catch {
            throw Failure(error.message, .unavailable)
        }
    }
}
