/// The ports that the options of `stompline new` name, by signal.
struct PortOptions {
    /// The word that leaves a signal without a connection; no port has this name.
    static let none = "none"

    /// The ports of the signals that the options name, in the order of the options.
    private let given: [(isInput: Bool, signal: String, port: String)]

    /// Reads the options.
    ///
    /// - Parameters:
    ///   - inputs: The arguments of `--input`, each `NAME=PORT`.
    ///   - outputs: The arguments of `--output`.
    /// - Throws: `Failure` if one has another form.
    init(inputs: [String], outputs: [String]) throws {
        given =
            try inputs.map { try Self.parse($0, isInput: true) }
            + outputs.map { try Self.parse($0, isInput: false) }
    }

    /// Checks that the options fit the signals of a template.
    ///
    /// - Throws: `Failure` if a signal does not exist or gets too many ports.
    func check(against signals: [StarterTemplate.Signal], of template: String) throws {
        for entry in given {
            let fits = signals.first { $0.isInput == entry.isInput && $0.name == entry.signal }
            guard let signal = fits else {
                let kind = entry.isInput ? "input" : "output"
                let names = signals.filter { $0.isInput == entry.isInput }.map(\.name)
                throw Failure.usage(
                    "the template '\(template)' has no \(kind) '\(entry.signal)'; it has "
                        + names.joined(separator: ", "))
            }
            if let ports = ports(of: signal), ports.count > signal.channels {
                throw Failure.usage(
                    "'\(signal.name)' is given \(ports.count) ports; "
                        + PortAnswer.excess(signal.channels))
            }
        }
    }

    /// Returns the ports of a signal; `nil` if no option names it.
    func ports(of signal: StarterTemplate.Signal) -> [String]? {
        let ports = given.filter { $0.isInput == signal.isInput && $0.signal == signal.name }
            .map(\.port)
        return ports.isEmpty ? nil : ports.filter { $0 != Self.none }
    }

    private static func parse(
        _ argument: String, isInput: Bool
    ) throws -> (isInput: Bool, signal: String, port: String) {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let signal = parts.first, let port = parts.last else {
            let option = isInput ? "--input" : "--output"
            throw Failure.usage(
                "\(option) must be NAME=PORT, such as \(option) "
                    + (isInput ? "mic=system:capture_1" : "main=system:playback_1")
                    + ", not '\(argument)'")
        }
        return (isInput, signal, port)
    }
}
