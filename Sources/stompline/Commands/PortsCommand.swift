internal import ArgumentParser
internal import JackHost
internal import Pipelines
internal import SessionCore
internal import SessionTexts

/// `stompline ports`: lists the ports that `connect` can name.
struct PortsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ports",
        abstract: "List the JACK ports that \"connect\" in a pipeline file can name.",
        discussion: """
            The ports are those of the running server; the command starts none. Ports of
            hardware are marked "physical". Further names of a port (aliases) are for
            information: "connect" needs the first name.

            Examples:
              stompline ports                 all ports, for inputs and for outputs
              stompline ports --json          for scripts
              stompline check voice.json      warns of rules that match no port
            """)

    @Option(help: ArgumentHelp("The JACK server's name (default: JACK's own).", valueName: "name"))
    var server: String?

    @Flag(help: "Print a JSON array.")
    var json = false

    func run() throws {
        let ports: [ServerPorts.Port]
        do {
            ports = try ServerPorts(ofServer: server).ports
        } catch {
            throw Failure(error.message, .unavailable)
        }
        if json {
            try Console.put(.array(ports.map(\.json)))
        } else if ports.isEmpty {
            Console.notify("the JACK server has no ports")
        } else {
            try Console.put(Self.list(ports))
        }
    }

    /// Returns the ports in groups: what they can be connected to, then one line per port.
    private static func list(_ ports: [ServerPorts.Port]) -> String {
        let groups: [(Pipeline.SignalKind, Bool, String)] = [
            (.audio, true, "for audio inputs:"), (.audio, false, "for audio outputs:"),
            (.midi, true, "for MIDI inputs:"), (.midi, false, "for MIDI outputs:"),
        ]
        return groups.compactMap { kind, isForInputs, title in
            let members = ports.filter { $0.kind == kind && $0.isForInputs == isForInputs }
            guard !members.isEmpty else { return nil }
            var table = TextTable([.left, .left, .left])
            for port in members {
                table.add([
                    "  " + port.name, port.isPhysical ? "physical" : "",
                    port.aliases.isEmpty ? "" : "alias " + port.aliases.joined(separator: ", "),
                ])
            }
            return title + "\n" + table.text
        }.joined(separator: "\n")
    }
}
