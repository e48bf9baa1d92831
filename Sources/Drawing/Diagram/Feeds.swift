internal import Pipelines
internal import Processing

/// The signal at one inlet: adjacent channels from one source.
struct Feed {
    var source: Pipeline.Source
    /// The channels of the source, from 0, in the order in which the inlet receives them.
    var sourceChannels: [Int]
    /// The index of the first channel among all inputs of the destination.
    var firstInput: Int
    var inlet: Card.Inlet
}

extension Pipeline {
    /// Returns the feeds of a node, one for each inlet of its card.
    func feeds(of node: Node) -> [Feed] {
        if !node.strips.isEmpty { return stripFeeds(of: node) }
        if case .ports(let ports, _) = node.description.channels {
            return portFeeds(of: node, ports: ports)
        }
        return Self.runs(of: node.instances.flatMap { $0 }) { range in
            .init(label: channelsText(range))
        }
    }

    /// Returns the feeds of an output.
    func feeds(of output: Output) -> [Feed] {
        Self.runs(of: output.taps) { range in .init(label: channelsText(range)) }
    }

    /// Returns one feed per strip, because a strip has one signal.
    private func stripFeeds(of node: Node) -> [Feed] {
        var first = 0
        let taps = node.instances.first ?? []
        return node.strips.enumerated().flatMap { index, strip in
            defer { first += strip.channels }
            let own = Array(taps[first..<min(first + strip.channels, taps.count)])
            return Self.runs(of: own, from: first) { _ in
                .init(
                    label: strip.name, detail: node.stripText(index),
                    address: "\(node.id).\(strip.name)")
            }
        }
    }

    /// Returns one feed for adjacent ports with the same source, named after the ports.
    private func portFeeds(of node: Node, ports: [PortDescription]) -> [Feed] {
        guard node.instances.count == 1, let taps = node.instances.first else {
            return Self.runs(of: node.instances.flatMap { $0 }) { range in
                .init(label: channelsText(range))
            }
        }
        return Self.runs(of: taps) { range in
            .init(label: ports[range].map(\.label).joined(separator: ", "))
        }
    }

    /// Joins adjacent taps of the same source; if there is only one feed, it needs no label.
    ///
    /// - Parameters:
    ///   - taps: The channels at the destination's inputs.
    ///   - first: The index of the first of these inputs among all inputs of the destination.
    ///   - inlet: Returns the inlet of a range of `taps`.
    /// - Returns: The feeds, in the order of the inputs.
    private static func runs(
        of taps: [Tap?], from first: Int = 0, inlet: (Range<Int>) -> Card.Inlet
    ) -> [Feed] {
        var found: [(source: Source, range: Range<Int>)] = []
        for (index, tap) in taps.enumerated() {
            guard let tap else { continue }
            if let last = found.last, last.source == tap.source, last.range.upperBound == index {
                found[found.count - 1].range = last.range.lowerBound..<index + 1
            } else {
                found.append((tap.source, index..<index + 1))
            }
        }
        return found.map { source, range in
            var made = inlet(range)
            if found.count == 1, made.detail.isEmpty { made.label = "" }
            return Feed(
                source: source, sourceChannels: taps[range].compactMap { $0?.channel },
                firstInput: first + range.lowerBound, inlet: made)
        }
    }

    private func channelsText(_ range: Range<Int>) -> String {
        range.count == 1
            ? "channel \(range.lowerBound + 1)"
            : "channels \(range.lowerBound + 1)–\(range.upperBound)"
    }
}
