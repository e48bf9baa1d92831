package import Pipelines

/// The compiled connection rules of one input or output, which assign ports to channels.
package struct ConnectionRules {
    private let channels: Int
    private let rules: [Rule]
    /// The patterns that are not valid regular expressions, without their slashes.
    package let invalidPatterns: [String]

    private enum Rule {
        case port(String)
        case pattern(Regex<AnyRegexOutput>)
    }

    package init(_ rules: [Pipeline.ConnectionRule], channels: Int) {
        self.channels = channels
        var usable: [Rule] = []
        var invalid: [String] = []
        for rule in rules {
            switch rule {
            case .port(let name): usable.append(.port(name))
            case .pattern(let text):
                if let pattern = try? Regex(text) {
                    usable.append(.pattern(pattern))
                } else {
                    invalid.append(text)
                }
            }
        }
        self.rules = usable
        invalidPatterns = invalid
    }

    /// Whether there is no rule.
    package var isEmpty: Bool { rules.isEmpty }

    /// Returns the connections to make.
    ///
    /// If there is one pattern for several channels, its matches are assigned in natural order, one
    /// per channel. Otherwise the first rule applies to the first channel, the second to the
    /// second, and so on, and every port that matches a rule is connected. A single channel uses
    /// all rules.
    ///
    /// - Parameters:
    ///   - candidates: The full names of all ports with a suitable kind and direction.
    ///   - own: The prefix of the full names of the program's ports, which patterns skip.
    /// - Returns: Pairs of a channel, from 0, and the full name of a port.
    package func connections(among candidates: [String], passingOver own: String) -> [(
        channel: Int, port: String
    )] {
        if channels > 1, rules.count == 1, case .pattern = rules[0] {
            return matches(of: rules[0], candidates, own).prefix(channels).enumerated().map {
                ($0.offset, $0.element)
            }
        }
        return rules.enumerated().flatMap { index, rule in
            let channel = channels == 1 ? 0 : index
            return channel < channels
                ? matches(of: rule, candidates, own).map { (channel, $0) } : []
        }
    }

    private func matches(of rule: Rule, _ candidates: [String], _ own: String) -> [String] {
        switch rule {
        case .port(let name): candidates.filter { $0 == name }
        case .pattern(let pattern):
            candidates.filter {
                !$0.hasPrefix(own) && (try? pattern.wholeMatch(in: $0)) ?? nil != nil
            }.sorted(by: isInNaturalOrder)
        }
    }
}
