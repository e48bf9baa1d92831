internal import ArgumentParser
internal import Control
internal import HTTPServer
internal import Pipelines
internal import SessionCore
internal import SessionTexts

/// `stompline reference`: prints a table of the interface for other programs.
struct ReferenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reference",
        abstract: "Print the addresses, messages, requests, events or codes of the program.",
        discussion: """
            Examples:
              stompline reference addresses      the addresses of a session
              stompline reference osc            the messages of the OSC protocol
              stompline reference http           the requests over HTTP and WebSockets
              stompline reference events         the lines of 'run --json'
              stompline reference error-codes    the codes of errors in files
              stompline reference exit-codes     the exit status of all commands

            With --json, the table is an array of objects, for scripts. The
            reference in the manual is made from it. 'stompline effects',
            'stompline schema' and 'stompline help' print the other parts.
            """)

    /// The tables.
    enum Topic: String, CaseIterable, ExpressibleByArgument {
        case addresses, osc, http, events
        case errorCodes = "error-codes"
        case exitCodes = "exit-codes"
    }

    @Argument(help: "addresses, osc, http, events, error-codes or exit-codes.")
    var topic: Topic

    @Flag(help: "Print JSON: an array with an object for each entry.")
    var json = false

    func run() throws {
        if json {
            try Console.put(.array(topic.entries))
        } else {
            try Console.put(topic.table.text)
        }
    }
}

extension ReferenceCommand.Topic {
    /// The entries as JSON objects.
    fileprivate var entries: [JSONValue] {
        switch self {
        case .addresses: AddressDescription.all.map(\.json)
        case .osc: OSCMessageDescription.all.map(\.json)
        case .http: HTTPDescription.all.map(\.json)
        case .events: EventDescription.all.map(\.json)
        case .errorCodes: Diagnostic.Code.allCases.map(\.json)
        case .exitCodes: ExitStatus.allCases.map(\.json)
        }
    }

    /// The entries as lines.
    fileprivate var table: TextTable {
        var table: TextTable
        switch self {
        case .addresses:
            table = TextTable([.left, .left])
            for entry in AddressDescription.all {
                let value = "\(entry.kind.rawValue): \(entry.value)"
                table.add([entry.address, "\(entry.meaning); \(value)"])
            }
        case .osc:
            table = TextTable([.left, .left])
            for entry in OSCMessageDescription.all {
                let arguments = entry.arguments.isEmpty ? "" : "\(entry.arguments): "
                let sender = entry.isSentByServer ? "from stompline" : "to stompline"
                table.add([entry.path, "\(arguments)\(entry.meaning) (\(sender))"])
            }
        case .http:
            table = TextTable([.left, .left, .left])
            for entry in HTTPDescription.all {
                let content = entry.content.isEmpty ? "" : ": \(entry.content)"
                let role = entry.role.isEmpty ? "" : " (role \(entry.role))"
                let name = entry.methods.isEmpty ? entry.name : "\(entry.methods) \(entry.name)"
                table.add([entry.kind.rawValue, name, entry.meaning + content + role])
            }
        case .events:
            table = TextTable([.left, .left])
            for entry in EventDescription.all {
                let members = entry.members.map(\.name).joined(separator: ", ")
                let meaning = entry.meaning + (members.isEmpty ? "" : ": \(members)")
                table.add([entry.name.rawValue, meaning])
            }
        case .errorCodes:
            table = TextTable([.left, .left])
            for code in Diagnostic.Code.allCases { table.add([code.rawValue, code.meaning]) }
        case .exitCodes:
            table = TextTable([.right, .left])
            for status in ExitStatus.allCases { table.add(["\(status.rawValue)", status.meaning]) }
        }
        return table
    }
}
