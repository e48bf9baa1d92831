internal import Engine
internal import Pipelines

/// The ports that are registered with a client, one for each channel of the engine ports.
///
/// Only the session's thread uses it. Remaining ports keep their connections, even if they get
/// another name.
struct RegisteredPorts: Sendable {
    let client: JackClient
    /// In the order of `EnginePorts`.
    private(set) var inputs: [SignalPorts] = []
    private(set) var outputs: [SignalPorts] = []

    /// A port with a new name.
    struct Renaming: Sendable {
        var old: String
        var new: String
    }

    /// The result of following other engine ports.
    struct Changes: Sendable {
        var renamings: [Renaming] = []
        /// The names of the ports that JACK refused.
        var refused: [String] = []
    }

    /// Creates a record without ports.
    init(client: JackClient) { self.client = client }

    var signals: [SignalPorts] { inputs + outputs }

    /// The short names of all ports.
    var portNames: Set<String> { Set(signals.flatMap { $0.ports.map(\.name) }) }

    /// Registers, renames and unregisters ports until there is one for each channel.
    ///
    /// A port is unregistered only when no cycle uses it any more.
    ///
    /// - Parameters:
    ///   - enginePorts: The engine ports.
    ///   - processCallback: The callback that plays through the ports.
    /// - Returns: The renamed ports, and the names of those that JACK refused.
    mutating func follow(_ enginePorts: EnginePorts, _ processCallback: ProcessCallback) -> Changes
    {
        let old = signals
        inputs = enginePorts.inputs.map { kept(SignalPorts($0, isInput: true), of: old) }
        let taken = Set(enginePorts.inputs.map(\.name))
        outputs = enginePorts.outputs.map {
            kept(SignalPorts($0, isInput: false, isNameTaken: taken.contains($0.name)), of: old)
        }
        processCallback.use(slots)
        unregister(old)
        let changes = Changes(
            renamings: rename(&inputs) + rename(&outputs),
            refused: register(&inputs) + register(&outputs))
        processCallback.use(slots)
        return changes
    }

    /// The ports by engine slot.
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
        for index in signals.indices {
            for (channel, name) in signals[index].wantedNames.enumerated()
            where channel < signals[index].ports.count {
                let old = signals[index].ports[channel].name
                guard old != name, signals[index].ports[channel].rename(name, client: client) else {
                    continue
                }
                renamings.append(Renaming(old: old, new: name))
            }
        }
        return renamings
    }

    /// Registers the missing ports; returns the names that JACK refused.
    private func register(_ signals: inout [SignalPorts]) -> [String] {
        var refused: [String] = []
        for index in signals.indices {
            let signal = signals[index]
            for name in signal.wantedNames.dropFirst(signal.ports.count) {
                let port = try? JackPort(
                    name: name, kind: signal.signal.kind, isInput: signal.isInput, client: client)
                // Otherwise the next channels would get its index.
                guard let port else {
                    refused.append(name)
                    break
                }
                signals[index].ports.append(port)
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
