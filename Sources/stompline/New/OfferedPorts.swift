internal import JackHost
internal import Pipelines
internal import SessionCore

/// The ports to which the signals of a new pipeline can be connected.
struct OfferedPorts {
    /// The ports that a card of jackd usually has at most, in each direction.
    private static let usualCount = 8

    /// Whether a JACK server runs; otherwise the ports are the names that jackd would give them.
    let isServerRunning: Bool
    private let ports: [ServerPorts.Port]
    /// The ports that are in use by a signal of the pipeline.
    private var used: Set<String> = []

    /// Reads the ports of the running server, and starts none.
    init(server: String?) {
        if let running = try? ServerPorts(ofServer: server) {
            (isServerRunning, ports) = (true, running.ports)
        } else {
            (isServerRunning, ports) = (false, Self.usual)
        }
    }

    /// The names that jackd gives to the channels of a sound card.
    private static var usual: [ServerPorts.Port] {
        [("capture", true), ("playback", false)].flatMap { name, isForInputs in
            (1...usualCount).map {
                ServerPorts.Port(
                    name: "system:\(name)_\($0)", kind: .audio, isForInputs: isForInputs,
                    isPhysical: true, aliases: [])
            }
        }
    }

    /// Returns the names of the ports that fit a signal; those of hardware come first.
    func names(for signal: StarterTemplate.Signal) -> [String] {
        let fitting = fitting(signal)
        return (fitting.filter(\.isPhysical) + fitting.filter { !$0.isPhysical }).map(\.name)
    }

    /// Returns the ports of hardware that a signal gets without an answer.
    ///
    /// - Parameter signal: The signal.
    /// - Returns: The ports, none for a signal of another program; `nil` for a MIDI signal, which
    ///   keeps the expression of the template.
    func usual(for signal: StarterTemplate.Signal) -> [String]? {
        guard signal.isConnected else { return [] }
        guard signal.kind == .audio else { return nil }
        let free = fitting(signal).filter { $0.isPhysical && !used.contains($0.name) }
        return free.prefix(signal.channels).map(\.name)
    }

    /// Notes the ports of a signal, so that no other signal gets them without an answer.
    mutating func use(_ names: [String]) { used.formUnion(names) }

    private func fitting(_ signal: StarterTemplate.Signal) -> [ServerPorts.Port] {
        ports.filter { $0.kind == signal.kind && $0.isForInputs == signal.isInput }
    }
}
