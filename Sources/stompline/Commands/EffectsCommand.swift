internal import ArgumentParser
internal import Pipelines
internal import Processing

/// `stompline effects`: lists the built-in effects.
struct EffectsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "effects",
        abstract: "List the built-in effects, or show one with all its parameters.",
        discussion: """
            Examples:
              stompline effects                 one line each
              stompline effects filter          parameters, settings, a node to paste
              stompline effects filter --json   for scripts
            """)

    @Argument(help: ArgumentHelp("The effect to show in full.", valueName: "type"))
    var type: String?

    @Flag(help: "Print JSON: an array of all effects, or the object of the given one.")
    var json = false

    func run() throws {
        let descriptions = HostServices.effects.map(\.description)
        if let type {
            let description = try Self.description(of: type, among: descriptions)
            if json {
                try Console.put(description.json)
            } else {
                try Console.put(NodePage(description).text)
            }
        } else if json {
            try Console.put(.array(descriptions.map(\.json)))
        } else {
            try Console.put(Self.list(descriptions))
        }
    }

    private static func description(
        of type: String, among descriptions: [NodeDescription]
    ) throws -> NodeDescription {
        if let found = descriptions.first(where: { $0.name == type }) { return found }
        let names = descriptions.map(\.name).joined(separator: ", ")
        throw Failure.usage("there is no effect '\(type)'; available are \(names)")
    }

    private static func list(_ descriptions: [NodeDescription]) -> String {
        var table = TextTable([.left, .left])
        for description in descriptions { table.add([description.name, description.summary]) }
        return table.text
    }
}
