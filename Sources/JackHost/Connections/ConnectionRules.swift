package import Pipelines

/// The compiled connection rules of one input or output, which assign ports to channels.
package struct ConnectionRules {
    private let channels: Int
    private let rules: [Rule]
    /// The patterns that are not valid regular expressions, without their slashes.
    package let invalidPatterns: [String]

    /// A rule that can be applied.
    private struct Rule {
        /// The index in the list of the file.
        let index: Int
        /// The rule, as in the file.
        let text: String
        /// The name or the expression, without slashes.
        let name: String
        let matcher: Matcher
    }

    private enum Matcher {
        case port(String)
        case pattern(Regex<AnyRegexOutput>)
        case nothing
    }

    /// A rule that leaves channels without a port.
    package struct Unmatched: Equatable, Sendable {
        /// The index of the rule in the list of the file.
        package var index: Int
        /// The rule, as in the file.
        package var text: String
        /// The channels without a port, from 0.
        package var channels: [Int]
        /// Whether the rule matches no port at all; otherwise too few for its channels.
        package var matchesNothing: Bool
        /// The name of the most similar port; `nil` if none is similar, or if the rule matches
        /// ports for some channels.
        package var nearest: String?

        /// Creates a rule from its parts.
        package init(
            index: Int, text: String, channels: [Int], matchesNothing: Bool = true,
            nearest: String?
        ) {
            self.index = index
            self.text = text
            self.channels = channels
            self.matchesNothing = matchesNothing
            self.nearest = nearest
        }
    }

    package init(_ rules: [Pipeline.ConnectionRule], channels: Int) {
        self.channels = channels
        var usable: [Rule] = []
        var invalid: [String] = []
        for (index, rule) in rules.enumerated() {
            switch rule {
            case .port(let name):
                usable.append(Rule(index: index, text: name, name: name, matcher: .port(name)))
            case .nothing:
                usable.append(Rule(index: index, text: "", name: "", matcher: .nothing))
            case .pattern(let text):
                if let pattern = try? Regex(text) {
                    usable.append(
                        Rule(
                            index: index, text: "/\(text)/", name: text,
                            matcher: .pattern(pattern)))
                } else {
                    invalid.append(text)
                }
            }
        }
        self.rules = usable
        invalidPatterns = invalid
    }

    /// Whether there is no rule.
    package var isEmpty: Bool {
        rules.allSatisfy { if case .nothing = $0.matcher { true } else { false } }
    }

    /// Returns the connections to make.
    ///
    /// If there is one pattern for several channels, its matches are assigned in natural order, one
    /// per channel. Otherwise the first rule applies to the first channel, the second to the
    /// second, and so on, and every port that matches a rule is connected. A single channel uses
    /// all rules.
    ///
    /// - Parameters:
    ///   - candidates: The full names of all ports with a suitable kind and direction.
    ///   - own: The prefix of the full names of the program's ports, which patterns skip; `nil` if
    ///     the program has no ports.
    /// - Returns: Channels, from 0, with the full name of a port and the text of the rule.
    package func connections(among candidates: [String], passingOver own: String?) -> [(
        channel: Int, port: String, rule: String
    )] {
        rules.indices.flatMap { position in
            connections(ofRule: position, candidates, own).map {
                ($0.channel, $0.port, rules[position].text)
            }
        }
    }

    /// Returns the rules that leave a channel without a port.
    ///
    /// The parameters are those of `connections`.
    package func unmatched(among candidates: [String], passingOver own: String?) -> [Unmatched] {
        rules.indices.compactMap { position in
            if case .nothing = rules[position].matcher { return nil }
            let served = Set(connections(ofRule: position, candidates, own).map(\.channel))
            let left = channels(ofRule: position).filter { !served.contains($0) }
            guard !left.isEmpty else { return nil }
            let rule = rules[position]
            let nearest =
                served.isEmpty
                ? Nearest.name(
                    to: rule.name, in: candidates.filter { !Self.isOwn($0, prefix: own) }) : nil
            return Unmatched(
                index: rule.index, text: rule.text, channels: left,
                matchesNothing: served.isEmpty, nearest: nearest)
        }
    }

    /// Whether one pattern distributes its matches over several channels.
    private var isDistributed: Bool {
        if channels > 1, rules.count == 1, case .pattern = rules[0].matcher { true } else { false }
    }

    /// Returns the channels that a rule applies to.
    private func channels(ofRule position: Int) -> Range<Int> {
        if isDistributed { return 0..<channels }
        let channel = channels == 1 ? 0 : position
        return channel < channels ? channel..<(channel + 1) : 0..<0
    }

    private func connections(
        ofRule position: Int, _ candidates: [String], _ own: String?
    ) -> [(channel: Int, port: String)] {
        let found = matches(of: rules[position].matcher, candidates, own)
        if isDistributed {
            return found.prefix(channels).enumerated().map { ($0.offset, $0.element) }
        }
        return channels(ofRule: position).flatMap { channel in found.map { (channel, $0) } }
    }

    private func matches(
        of matcher: Matcher, _ candidates: [String], _ own: String?
    ) -> [String] {
        switch matcher {
        case .port(let name): candidates.filter { $0 == name }
        case .nothing: []
        case .pattern(let pattern):
            candidates.filter {
                !Self.isOwn($0, prefix: own) && (try? pattern.wholeMatch(in: $0)) ?? nil != nil
            }.sorted(by: isInNaturalOrder)
        }
    }

    private static func isOwn(_ port: String, prefix own: String?) -> Bool {
        own.map { port.hasPrefix($0) } ?? false
    }
}
