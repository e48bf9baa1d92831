internal import Pipelines

/// The ports of one input or output of a pipeline, one a channel.
struct SignalPorts: Sendable {
    /// The signal's name.
    let name: String
    let kind: Pipeline.SignalKind
    let rules: [Pipeline.ConnectionRule]
    let ports: [JackPort]

    /// Registers the ports of an input.
    init(_ input: Pipeline.Input, client: JackClient) throws(JackFault) {
        try self.init(
            name: input.name, kind: input.kind, channels: input.channels, rules: input.connect,
            isInput: true, client: client)
    }

    /// Registers the ports of an output.
    init(_ output: Pipeline.Output, client: JackClient) throws(JackFault) {
        try self.init(
            name: output.name, kind: output.kind, channels: output.channels, rules: output.connect,
            isInput: false, client: client)
    }

    private init(
        name: String, kind: Pipeline.SignalKind, channels: Int, rules: [Pipeline.ConnectionRule],
        isInput: Bool, client: JackClient
    ) throws(JackFault) {
        self.name = name
        self.kind = kind
        self.rules = rules
        var ports: [JackPort] = []
        for portName in Self.portNames(signal: name, channels: kind == .midi ? 1 : channels) {
            ports.append(
                try JackPort(name: portName, kind: kind, isInput: isInput, client: client))
        }
        self.ports = ports
    }

    /// The ports' short names: the signal's own for one channel, numbered from 1 for several.
    static func portNames(signal: String, channels: Int) -> [String] {
        channels == 1 ? [signal] : (1...channels).map { "\(signal)_\($0)" }
    }

    /// The short names of this signal's ports.
    var portNames: [String] { Self.portNames(signal: name, channels: ports.count) }

    /// The ports' names as a person reads them, such as "Lead voice main 2".
    func prettyNames(pipeline: String) -> [String] {
        ports.count == 1
            ? ["\(pipeline) \(name)"] : (1...ports.count).map { "\(pipeline) \(name) \($0)" }
    }
}
