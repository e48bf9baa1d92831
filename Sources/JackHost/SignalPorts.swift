internal import Engine
internal import Pipelines

/// The ports of one signal, one a channel.
struct SignalPorts: Sendable {
    /// As the engine knows it.
    let signal: Outside.Signal
    let isInput: Bool
    /// Fewer than the signal has slots where JACK refused one.
    var ports: [JackPort] = []

    /// What is behind the name: in JACK no two ports of a client have the same one.
    private let ending: String

    /// - Parameters:
    ///   - signal: As the engine knows it.
    ///   - isInput: Whether it comes in.
    ///   - isTaken: Whether an input has its name already, of another song maybe.
    init(_ signal: Outside.Signal, isInput: Bool, isTaken: Bool = false) {
        self.signal = signal
        self.isInput = isInput
        ending = isTaken ? "-out" : ""
    }

    /// The ports' short names: the signal's own for one channel, numbered from 1 for several.
    var wantedNames: [String] {
        let channels = signal.slots.count
        let name = signal.name + ending
        return channels == 1 ? [name] : (1...channels).map { "\(name)_\($0)" }
    }

    /// The ports' names as a person reads them, such as "Lead voice main 2".
    func prettyNames(pipeline: String) -> [String] {
        ports.count == 1
            ? ["\(pipeline) \(signal.name)"]
            : ports.indices.map { "\(pipeline) \(signal.name) \($0 + 1)" }
    }

    /// Whether it is the same signal, whatever its width.
    func isSame(as other: SignalPorts) -> Bool {
        signal.name == other.signal.name && signal.kind == other.signal.kind
            && isInput == other.isInput
    }
}
