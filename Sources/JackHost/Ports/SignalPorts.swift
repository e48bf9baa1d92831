internal import Engine
internal import Pipelines
internal import Processing
internal import SessionCore

/// The ports of one signal, one per channel.
struct SignalPorts: Sendable {
    /// The engine's signal.
    let signal: EnginePorts.Signal
    let isInput: Bool
    /// The registered ports; fewer than the signal has slots if JACK refused one.
    var ports: [JackPort] = []
    /// The short names that the ports should have.
    let wantedNames: [String]

    /// Creates a signal without ports.
    ///
    /// - Parameters:
    ///   - signal: The engine's signal.
    ///   - isInput: Whether it is an input.
    ///   - isNameTaken: Whether an input of this or another song has the same name.
    init(_ signal: EnginePorts.Signal, isInput: Bool, isNameTaken: Bool = false) {
        self.signal = signal
        self.isInput = isInput
        wantedNames = signal.portNames(isNameTaken: isNameTaken)
    }

    /// Returns the names of the ports as a person reads them, such as "Lead voice main 2".
    func prettyNames(pipeline: String) -> [String] {
        let name = "\(pipeline) \(signal.name)".printable
        return ports.count == 1 ? [name] : ports.indices.map { "\(name) \($0 + 1)" }
    }

    /// Returns whether both belong to the same signal, regardless of the number of channels.
    func isSame(as other: SignalPorts) -> Bool {
        signal.name == other.signal.name && signal.kind == other.signal.kind
            && isInput == other.isInput
    }
}
