internal import Processing

/// Finds the nodes that cannot play as their file describes them, and prepares their stand-ins.
///
/// A stand-in passes its input through, so that the rest of the pipeline plays.
struct StandInCheck {
    let context: CheckContext

    /// The keys of a node without whose valid values the node cannot play.
    private static let essentialKeys = ["type", "uri", "settings", "isolate", "sandbox"]

    /// Marks a node as a stand-in if its type is not known or its settings have errors.
    ///
    /// A mixer remains a mixer, because the sum of its strips cannot pass through.
    func mark(_ node: inout NodeDraft) {
        guard context.isTolerant, node.description?.isMixer != true else { return }
        let hasError = Self.essentialKeys.contains {
            context.errors.hasError(within: node.element[$0])
        }
        node.isStandIn = node.description == nil || hasError || lacksSetting(node)
    }

    /// Returns whether a required setting is missing, although the node has no `settings`.
    private func lacksSetting(_ node: NodeDraft) -> Bool {
        guard let description = node.description?.description else { return false }
        return !description.requiredSettings.isEmpty && node.element["settings"] == nil
    }

    /// Determines the outputs that the receivers of each stand-in refer to or accept.
    func findReceivers(of nodes: inout [NodeDraft], _ outputFeeds: [(Feeds, channels: Int?)]) {
        var feeds: [Int: [Feed]] = [:]
        for feed in nodes.flatMap(\.feeds.all) + outputFeeds.flatMap(\.0.all) {
            guard case .node(let index)? = feed.source, nodes[index].isStandIn else { continue }
            feeds[index, default: []].append(feed)
        }
        let accepted = acceptedChannels(nodes, outputFeeds)
        for index in nodes.indices where nodes[index].isStandIn {
            let parts = (feeds[index] ?? []).map(\.reference.part)
            let ports = Set(parts.compactMap { if case .port(let name) = $0 { name } else { nil } })
            let channels = parts.compactMap { if case .channel(let one) = $0 { one } else { nil } }
            nodes[index].standInPorts = ports.sorted()
            let referred = max(ports.count, channels.max() ?? 0)
            nodes[index].wantedChannels = referred > 0 ? referred : accepted[index]
        }
    }

    /// Returns the number of channels that a receiver of the whole signal of a node accepts, for
    /// each node; a node is missing if every receiver accepts any number.
    private func acceptedChannels(
        _ nodes: [NodeDraft], _ outputFeeds: [(Feeds, channels: Int?)]
    ) -> [Int: Int] {
        var accepted: [Int: Int] = [:]
        func add(_ feeds: Feeds, _ channels: Int?) {
            guard let source = feeds.onlyNode, let channels, accepted[source] == nil else { return }
            accepted[source] = channels
        }
        for (feeds, channels) in outputFeeds { add(feeds, channels) }
        for node in nodes where !node.isStandIn {
            add(node.feeds, node.description?.ports.map { PortFitting($0).requiredCount })
        }
        return accepted
    }
}

extension Feeds {
    /// The index of the node whose whole signal is the only one; `nil` if there is none.
    fileprivate var onlyNode: Int? {
        guard case .sideBySide(let feeds) = self, feeds.count == 1, let feed = feeds.first,
            case .all = feed.reference.part, case .node(let index)? = feed.source
        else { return nil }
        return index
    }
}
