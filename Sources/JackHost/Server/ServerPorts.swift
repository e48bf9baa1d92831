internal import CJack
public import Pipelines
internal import Platform
public import SessionCore
internal import Synchronization

/// The ports of a running JACK server at one time.
public struct ServerPorts: Sendable {
    /// The ports: audio before MIDI, those for inputs before those for outputs, in natural order.
    public let ports: [Port]

    /// A port of the server.
    public typealias Port = ServerPort

    /// A rule in `connect` that leaves channels without a port.
    public struct UnmatchedRule: Sendable, Equatable {
        /// The name of the input or output.
        public var signal: String
        /// Whether the rule belongs to an input.
        public var isInput: Bool
        /// The kind of the signal.
        public var kind: Pipeline.SignalKind
        /// The index of the rule in `connect`.
        public var index: Int
        /// The rule, as in the file.
        public var text: String
        /// The channels without a port, from 1.
        public var channels: [Int]
        /// Whether the rule matches no port at all.
        public var matchesNothing: Bool
        /// The name of the most similar port; `nil` if none is similar.
        public var nearest: String?
        /// The port that has the name but another kind or direction; `nil` without such a port.
        public var unsuitable: Port?
    }

    /// The time that the server may take to answer, in seconds.
    private static let answerSeconds = 3.0

    /// Creates a list of ports.
    public init(_ ports: [Port]) { self.ports = ports }

    /// Reads the ports of the running server, and starts none.
    ///
    /// The program joins the server for a moment, with a client that has no ports and plays
    /// nothing. It does not read JACK's metadata, because a locked database would block it.
    ///
    /// - Parameter server: The server's name; `nil` for the default server.
    /// - Throws: `JackError`; `.serverHangs` if the server does not answer.
    public init(ofServer server: String?) throws(JackError) {
        let answer = Answer()
        let task = BlockingTask {
            let result = Result<[Port], JackError> { () throws(JackError) in
                try Self.read(server)
            }
            answer.result.withLock { $0 = result }
        }
        guard task.isDone(withinSeconds: Self.answerSeconds),
            let result = answer.result.withLock({ $0 })
        else { throw .serverHangs }
        self.init(try result.get())
    }

    /// Carries the result of the task.
    private final class Answer: Sendable {
        let result = Mutex<Result<[Port], JackError>?>(nil)
    }

    private static func read(_ server: String?) throws(JackError) -> [Port] {
        let taken = RunningServers.names().union([serverName(server)])
        let client = try JackClient(
            name: clientName("stompline-ports", unlike: taken), server: server)
        defer { client.close() }
        return client.serverPorts()
    }

    // MARK: Rules

    /// Returns the rules of a pipeline that leave channels without a port, in the order of the
    /// file.
    ///
    /// An expression for MIDI is left out if the server has no MIDI port of the direction: it waits
    /// for a controller that is plugged in later.
    public func unmatchedRules(of pipeline: Pipeline) -> [UnmatchedRule] {
        pipeline.inputs.flatMap {
            unmatched($0.connect, $0.name, $0.kind, channels: $0.channels, isInput: true)
        }
            + pipeline.outputs.flatMap {
                unmatched($0.connect, $0.name, $0.kind, channels: $0.channels, isInput: false)
            }
    }

    private func unmatched(
        _ rules: [Pipeline.ConnectionRule], _ signal: String, _ kind: Pipeline.SignalKind,
        channels: Int, isInput: Bool
    ) -> [UnmatchedRule] {
        guard !rules.isEmpty else { return [] }
        let candidates = ports.filter { $0.kind == kind && $0.isForInputs == isInput }.map(\.name)
        let isWaiting = kind == .midi && candidates.isEmpty
        // A MIDI signal has one port.
        let compiled = ConnectionRules(rules, channels: max(1, channels))
        let unmatched = compiled.unmatched(among: candidates, passingOver: nil).filter { rule in
            if isWaiting, case .pattern = rules[rule.index] { false } else { true }
        }
        return unmatched.map { rule in
            UnmatchedRule(
                signal: signal, isInput: isInput, kind: kind, index: rule.index, text: rule.text,
                channels: rule.channels.map { $0 + 1 }, matchesNothing: rule.matchesNothing,
                nearest: rule.nearest, unsuitable: ports.first { $0.name == rule.text })
        }
    }
}

extension JackClient {
    /// Returns all ports of the server without their metadata: audio before MIDI, those for inputs
    /// before those for outputs, in natural order.
    func serverPorts() -> [ServerPort] {
        var ports: [ServerPort] = []
        for kind in [Pipeline.SignalKind.audio, .midi] {
            for isForInputs in [true, false] {
                ports += portNames(kind, areInputs: !isForInputs)
                    .sorted(by: isInNaturalOrder).map { name in
                        ServerPort(
                            name: name, kind: kind, isForInputs: isForInputs,
                            isPhysical: isPhysical(name), aliases: aliases(of: name))
                    }
            }
        }
        return ports
    }

    /// Returns whether a port belongs to hardware: `jack_port_flags`.
    fileprivate func isPhysical(_ name: String) -> Bool {
        guard let port = jack_port_by_name(handle, name) else { return false }
        return UInt32(bitPattern: jack_port_flags(port)) & UInt32(JackPortIsPhysical.rawValue) != 0
    }

    /// Returns the aliases of a port: `jack_port_get_aliases`.
    fileprivate func aliases(of name: String) -> [String] {
        guard let port = jack_port_by_name(handle, name) else { return [] }
        let bytes = Int(jack_port_name_size())
        // One more byte ends an alias that fills its half.
        var texts = [CChar](repeating: 0, count: 2 * bytes + 1)
        return texts.withUnsafeMutableBufferPointer { texts in
            guard let first = texts.baseAddress else { return [] }
            let halves: [UnsafeMutablePointer<CChar>?] = [first, first + bytes]
            let count = Int(jack_port_get_aliases(port, halves))
            return (0..<min(2, max(0, count))).map { String(cString: first + $0 * bytes) }
        }
    }
}
