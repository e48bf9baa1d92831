public import Engine
internal import Pipelines

extension EnginePorts.Signal {
    /// Returns the short names of the signal's ports: the signal's name, with numbers from 1 if it
    /// has several channels.
    ///
    /// - Parameter isNameTaken: Whether an input of this or another song has the same name. In JACK
    ///   no two ports of a client have the same name, so the output's name gets a suffix.
    ///
    /// - Returns: One name per channel.
    public func portNames(isNameTaken: Bool) -> [String] {
        let name = isNameTaken ? name + "-out" : name
        return slots.count == 1 ? [name] : (1...slots.count).map { "\(name)_\($0)" }
    }
}

extension EnginePorts {
    /// The short name of the port at each audio input slot; `nil` if a slot has no port.
    var inputPortNames: [String?] { Self.names(of: inputs, taken: []) }

    /// The short name of the port at each audio output slot; `nil` if a slot has no port.
    var outputPortNames: [String?] { Self.names(of: outputs, taken: Set(inputs.map(\.name))) }

    private static func names(of signals: [Signal], taken: Set<String>) -> [String?] {
        var names: [String?] = []
        for signal in signals where signal.kind == .audio {
            let portNames = signal.portNames(isNameTaken: taken.contains(signal.name))
            for (slot, name) in zip(signal.slots, portNames) {
                names += Array(repeating: nil, count: max(0, slot + 1 - names.count))
                names[slot] = name
            }
        }
        return names
    }
}
