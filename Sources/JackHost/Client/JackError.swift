internal import Engine

/// The reason why there is no JACK client.
public enum JackError: Error, Sendable, Equatable {
    /// No server of this name runs; `nil` is the default server.
    case noServer(name: String?)
    /// No server of this name runs, and the environment forbids starting one; `nil` is the default
    /// server.
    case startForbidden(name: String?)
    /// The process may open too few files for a JACK client.
    case tooFewDescriptors
    /// No server runs, and the program `jackd` is not installed.
    case notInstalled
    /// The server that this program started did not become ready.
    case serverDidNotStart(command: String)
    /// The server refused the client, with JACK's status bits.
    case clientRefused(status: UInt32)
    /// The server refused a port.
    case portRefused(name: String)
    /// The pipeline has more signals than an engine has slots.
    case tooManyPorts
    /// The server refused to call the client's process callback.
    case activationRefused
    /// The server does not answer.
    case serverHangs
    /// There is no thread or memory left for the client.
    case noThread

    /// A sentence without its full stop.
    public var message: String {
        switch self {
        case .noServer(let name?): "no JACK server named \"\(name)\" is running"
        case .noServer(nil):
            JackLibrary.loaded.isPipeWire ? "PipeWire is not running" : "no JACK server is running"
        case .startForbidden(let name):
            JackError.noServer(name: name).message
                + ", and JACK_NO_START_SERVER forbids starting one; start it or unset the variable"
        case .tooFewDescriptors:
            "the program cannot open enough files to join a JACK server; "
                + "raise the limit (ulimit -n) or end other programs"
        case .notInstalled:
            "no JACK server is running, and jackd is not installed (Debian: apt install jackd2)"
        case .serverDidNotStart(let command):
            "the JACK server did not start; run it by hand to see why: \(command)"
        case .clientRefused(let status):
            "the JACK server refused the client (status 0x\(String(status, radix: 16)))"
        case .portRefused(let name): "the JACK server refused the port \"\(name)\""
        case .tooManyPorts:
            "the pipeline has more than \(EnginePorts.maximumChannels) audio channels or "
                + "\(EnginePorts.maximumMessageSignals) MIDI signals in one direction"
        case .activationRefused: "the JACK server refused to activate the client"
        case .serverHangs: "the JACK server does not answer"
        case .noThread: "no thread could be started"
        }
    }
}
