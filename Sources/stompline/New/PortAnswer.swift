/// An answer to the question for the ports of a signal.
enum PortAnswer: Equatable {
    /// An empty answer.
    case usual
    /// Ports or a regular expression; none leaves the signal without a connection.
    case ports([String])
    /// The answer makes no sense, for this reason.
    case wrong(String)

    /// Reads an answer: numbers of the list, one port or expression, or `-`.
    ///
    /// - Parameters:
    ///   - text: The line.
    ///   - names: The ports of the list, in its order.
    ///   - channels: The number of channels of the signal.
    init(_ text: String, among names: [String], channels: Int) {
        let words = text.split { " ,\t".contains($0) }
        let line = text.drop { " \t".contains($0) }
        if words.isEmpty {
            self = .usual
        } else if words == ["-"] {
            self = .ports([])
        } else if words.allSatisfy({ $0.allSatisfy { "0123456789".contains($0) } }) {
            let numbers = words.map { Int($0) ?? 0 }
            if let number = numbers.first(where: {
                !(1...max(1, names.count) ~= $0) || names.isEmpty
            }) {
                self = .wrong("there is no number \(number) in the list")
            } else if numbers.count > channels {
                self = .wrong(Self.excess(channels))
            } else {
                self = .ports(numbers.map { names[$0 - 1] })  // checked: in the list
            }
        } else if line.hasPrefix("/") || line.contains(":") {
            self = .ports([String(line)])
        } else {
            self = .wrong("'\(line)' is neither a number of the list nor the name of a port")
        }
    }

    /// The sentence about more ports than channels.
    static func excess(_ channels: Int) -> String {
        channels == 1 ? "it has one channel" : "it has \(channels) channels"
    }
}
