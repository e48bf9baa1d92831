package import Pipelines

/// The connection rules of one input or output, ready to match: which port belongs to which channel.
package struct ConnectionRules {
    private let channels: Int
    private let rules: [Rule]
    /// The patterns that are no regular expressions, without their slashes.
    package let faultyPatterns: [String]

    private enum Rule {
        case port(String)
        case pattern(Regex<AnyRegexOutput>)
    }

    package init(_ rules: [Pipeline.ConnectionRule], channels: Int) {
        self.channels = channels
        var usable: [Rule] = []
        var faulty: [String] = []
        for rule in rules {
            switch rule {
            case .port(let name): usable.append(.port(name))
            case .pattern(let text):
                if let pattern = try? Regex(text) {
                    usable.append(.pattern(pattern))
                } else {
                    faulty.append(text)
                }
            }
        }
        self.rules = usable
        faultyPatterns = faulty
    }

    /// Whether nothing is asked for.
    package var isEmpty: Bool { rules.isEmpty }

    /// The connections to make with the ports there are.
    ///
    /// One pattern for several channels deals its matches out in natural order, one to each channel. Otherwise the
    /// first rule is the first channel's and so on, and all that a rule matches is connected; a single channel
    /// takes all rules.
    ///
    /// - Parameters:
    ///   - candidates: Full names of the ports of the right kind and direction.
    ///   - own: The prefix of our own ports' full names, which patterns pass over.
    /// - Returns: Channels from 0, each with a port's full name.
    package func connections(among candidates: [String], passingOver own: String) -> [(
        channel: Int, port: String
    )] {
        if channels > 1, rules.count == 1, case .pattern = rules[0] {
            return matches(of: rules[0], candidates, own).prefix(channels).enumerated().map {
                ($0.offset, $0.element)
            }
        }
        return rules.enumerated().flatMap { place, rule in
            let channel = channels == 1 ? 0 : place
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
