package import Pipelines

/// The tolerated errors as the value of the address `problems`, and as lines for people.
package enum ProblemSummary {
    /// Returns one line per problem, without line breaks.
    package static func lines(_ problems: [Problem]) -> [String] {
        problems.map { problem in
            let song = problem.song.map { "song \"\($0)\"" }
            let node = problem.node.map { "node \"\($0)\"" }
            let place = [song, node].compactMap(\.self).joined(separator: ", ")
            let diagnostic = problem.diagnostic
            let cause = "\(diagnostic.file):\(diagnostic.line): \(diagnostic.message)"
            let consequence = text(of: problem.consequence)
            return place.isEmpty
                ? "\(consequence): \(cause)" : "\(place) \(consequence): \(cause)"
        }
    }

    /// The longest value of the address in bytes, so that it fits into a datagram.
    private static let maximumBytes = 4000
    /// The maximum length of a line of the value, in Unicode scalars.
    private static let maximumScalars = 250

    /// Returns the value of the address `problems`: the lines, or an empty text.
    package static func text(of problems: [Problem]) -> String {
        var shown: [String] = []
        var roomBytes = maximumBytes
        for line in lines(problems) {
            let line = String(line.unicodeScalars.prefix(maximumScalars))
            roomBytes -= line.utf8.count + 1
            guard roomBytes >= 0 else { break }
            shown.append(line)
        }
        let rest = problems.count - shown.count
        return (shown + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: "\n")
    }

    /// Returns the address `problems` with its value; nothing without problems.
    package static func entries(of problems: [Problem]) -> [AddressValue] {
        problems.isEmpty
            ? [] : [AddressValue(ReadOnlyAddress.problems.rawValue, .text(text(of: problems)))]
    }

    private static func text(of consequence: Problem.Consequence) -> String {
        switch consequence {
        case .skipped: "is skipped"
        case .dry: "passes its input"
        case .silent: "is silent"
        case .ignored: "plays without the faulty part"
        }
    }
}
