internal import Engine
internal import Pipelines

/// The ports that are registered with a client, in line with what the engine has outside.
///
/// It belongs to the session's thread. Ports that stay keep their connections, also those with another name.
struct PortBook: Sendable {
    let client: JackClient
    /// In the order of `Outside`.
    private(set) var inputs: [SignalPorts] = []
    private(set) var outputs: [SignalPorts] = []

    /// A port that has another name than before.
    struct Renaming: Sendable {
        var old: String
        var new: String
    }

    /// What came of following.
    struct Changes: Sendable {
        var renamings: [Renaming] = []
        /// The names that JACK did not give us a port for.
        var refused: [String] = []
    }

    /// No ports so far.
    init(client: JackClient) { self.client = client }

    var signals: [SignalPorts] { inputs + outputs }

    /// The short names of all ports.
    var portNames: Set<String> { Set(signals.flatMap { $0.ports.map(\.name) }) }

    /// Registers, renames and unregisters ports until there is one for each channel.
    ///
    /// What goes is unregistered only when no cycle uses it any more.
    ///
    /// - Parameters:
    ///   - outside: What there is to be.
    ///   - audioSide: Where the ports are played through.
    /// - Returns: What was renamed, and what is missing.
    mutating func follow(_ outside: Outside, _ audioSide: AudioSide) -> Changes {
        let old = signals
        inputs = outside.inputs.map { kept(SignalPorts($0, isInput: true), of: old) }
        let taken = Set(outside.inputs.map(\.name))
        outputs = outside.outputs.map {
            kept(SignalPorts($0, isInput: false, isTaken: taken.contains($0.name)), of: old)
        }
        audioSide.use(slots)
        unregister(old)
        let changes = Changes(
            renamings: rename(&inputs) + rename(&outputs),
            refused: register(&inputs) + register(&outputs))
        audioSide.use(slots)
        return changes
    }

    /// The ports by the engine's slots.
    private var slots: PortSlots {
        PortSlots(
            inputs: bySlot(inputs, .audio), outputs: bySlot(outputs, .audio),
            messageInputs: bySlot(inputs, .midi), messageOutputs: bySlot(outputs, .midi))
    }

    private func kept(_ wanted: SignalPorts, of old: [SignalPorts]) -> SignalPorts {
        var wanted = wanted
        let before = old.first { $0.isSame(as: wanted) }?.ports ?? []
        wanted.ports = Array(before.prefix(wanted.signal.slots.count))
        return wanted
    }

    private func unregister(_ old: [SignalPorts]) {
        let staying = Set(signals.flatMap { $0.ports.map(\.handle) })
        for port in old.flatMap(\.ports) where !staying.contains(port.handle) {
            port.unregister(client)
        }
    }

    private func rename(_ signals: inout [SignalPorts]) -> [Renaming] {
        var renamings: [Renaming] = []
        for place in signals.indices {
            for (channel, name) in signals[place].wantedNames.enumerated()
            where channel < signals[place].ports.count {
                let old = signals[place].ports[channel].name
                guard old != name, signals[place].ports[channel].rename(name, client: client) else {
                    continue
                }
                renamings.append(Renaming(old: old, new: name))
            }
        }
        return renamings
    }

    /// - Returns: The names that JACK refused.
    private func register(_ signals: inout [SignalPorts]) -> [String] {
        var refused: [String] = []
        for place in signals.indices {
            let signal = signals[place]
            for name in signal.wantedNames.dropFirst(signal.ports.count) {
                let port = try? JackPort(
                    name: name, kind: signal.signal.kind, isInput: signal.isInput, client: client)
                // The channels after it would be at its place.
                guard let port else {
                    refused.append(name)
                    break
                }
                signals[place].ports.append(port)
            }
        }
        return refused
    }
}

private func bySlot(_ signals: [SignalPorts], _ kind: Pipeline.SignalKind) -> [OpaquePointer?] {
    var ports: [OpaquePointer?] = []
    for signal in signals where signal.signal.kind == kind {
        for (slot, port) in zip(signal.signal.slots, signal.ports) {
            ports += Array(repeating: nil, count: max(0, slot + 1 - ports.count))
            ports[slot] = port.handle
        }
    }
    return ports
}
