internal import JackHost
internal import Pipelines
internal import SessionCore

/// The ports of the running JACK server, read when they are first needed.
final class RunningPorts {
    private let server: String?
    /// The ports; `nil` if no server runs or it does not answer.
    private lazy var ports: ServerPorts? = try? ServerPorts(ofServer: server)

    /// Creates the ports of a server; `nil` is the default server.
    init(server: String?) { self.server = server }

    /// Returns a warning for each rule in `connect` that leaves channels without a port.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - file: The path of its file.
    /// - Returns: The warnings in the order of the file; empty if no server runs.
    func warnings(for pipeline: Pipeline, file: String) -> [Diagnostic] {
        let rules = pipeline.inputs.flatMap(\.connect) + pipeline.outputs.flatMap(\.connect)
        guard !rules.isEmpty, let ports else { return [] }
        return ports.unmatchedRules(of: pipeline).map { rule in
            Diagnostic(
                ofConnection: rule.index, of: rule.signal, isInput: rule.isInput, in: pipeline,
                inFile: file, Self.message(for: rule), suggestion: rule.nearest)
        }
    }

    private static func message(for rule: ServerPorts.UnmatchedRule) -> String {
        let kind = rule.kind == .midi ? "MIDI" : "audio"
        let use = "to connect an \(rule.isInput ? "input" : "output") to"
        let hint = "; \"stompline ports\" lists the ports"
        if let port = rule.unsuitable {
            return "\"\(rule.text)\" cannot be connected to this \(kind) "
                + "\(rule.isInput ? "input" : "output"): it is a port for "
                + "\(port.kind == .midi ? "MIDI" : "audio") "
                + "\(port.isForInputs ? "inputs" : "outputs")\(hint)"
        }
        guard rule.matchesNothing else {
            let channels = rule.channels.map(String.init).joined(separator: ", ")
            return "the running JACK server has too few \(kind) ports that match \"\(rule.text)\" "
                + "\(use): none is left for channel \(channels)\(hint)"
        }
        return rule.text.hasPrefix("/")
            ? "the running JACK server has no \(kind) port that matches \"\(rule.text)\" \(use)\(hint)"
            : "the running JACK server has no \(kind) port \"\(rule.text)\" \(use)\(hint)"
    }
}
