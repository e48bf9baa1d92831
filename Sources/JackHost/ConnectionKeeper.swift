internal import CJack
internal import Pipelines

/// Makes the connections that the pipeline file asks for, now and when a port appears later.
///
/// Each pair of ports is connected once for as long as both are there: what the user takes apart stays apart until
/// the other port appears anew. It is used by one thread, and never inside a callback of JACK.
struct ConnectionKeeper {
    private let client: JackClient
    private let signals: [(ports: SignalPorts, rules: ConnectionRules)]
    /// What was tried already, and is not tried again.
    private var tried: Set<Pair> = []

    /// A port of ours and one of somebody else, by full name.
    struct Pair: Hashable, Sendable {
        var own: String
        var other: String
    }

    init(_ signals: [SignalPorts], client: JackClient) {
        self.client = client
        self.signals = signals.filter { !$0.rules.isEmpty }.map {
            ($0, ConnectionRules($0.rules, channels: $0.ports.count))
        }
    }

    /// The patterns of all rules that are no regular expressions.
    var faultyPatterns: [String] { signals.flatMap(\.rules.faultyPatterns) }

    /// Notes that a port appeared, so that it is connected even where one of its name was before.
    mutating func portAppeared(_ identity: UInt32) {
        guard let port = jack_port_by_id(client.handle, identity) else { return }
        let name = String(cString: jack_port_name(port))
        tried = tried.filter { $0.other != name }
    }

    /// Connects whatever the rules ask for and was not tried before: `jack_connect`.
    ///
    /// - Returns: The pairs that JACK refused to connect.
    mutating func connect() -> [Pair] {
        var refused: [Pair] = []
        for (ports, rules) in signals {
            let candidates = otherPorts(for: ports)
            for (channel, other) in rules.connections(
                among: candidates, passingOver: client.name + ":")
            {
                let port = ports.ports[channel]
                let pair = Pair(own: port.fullName, other: other)
                guard tried.insert(pair).inserted else { continue }
                if !connect(pair, ownIsInput: port.isInput) { refused.append(pair) }
            }
        }
        return refused
    }

    private func connect(_ pair: Pair, ownIsInput: Bool) -> Bool {
        let status =
            ownIsInput
            ? jack_connect(client.handle, pair.other, pair.own)
            : jack_connect(client.handle, pair.own, pair.other)
        return status == 0 || status == EEXIST
    }

    /// Full names of all ports that the signal's may be connected to: `jack_get_ports`.
    private func otherPorts(for ports: SignalPorts) -> [String] {
        let type = ports.kind == .audio ? JACK_DEFAULT_AUDIO_TYPE : JACK_DEFAULT_MIDI_TYPE
        let direction = ports.ports.first?.isInput == true ? JackPortIsOutput : JackPortIsInput
        let found = jack_get_ports(client.handle, nil, "^\(type)$", UInt(direction.rawValue))
        guard let found else { return [] }
        defer { jack_free(found) }
        var names: [String] = []
        while let name = found[names.count] { names.append(String(cString: name)) }
        return names
    }
}
