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
        for index in nodes.indices where nodes[index].isStandIn {
            let feeds = nodes.flatMap(\.feeds.all) + outputFeeds.flatMap(\.0.all)
            let parts = feeds.filter { $0.source == .node(index) }.map(\.reference.part)
            let ports = Set(parts.compactMap { if case .port(let name) = $0 { name } else { nil } })
            let channels = parts.compactMap { if case .channel(let one) = $0 { one } else { nil } }
            nodes[index].standInPorts = ports.sorted()
            let referred = max(ports.count, channels.max() ?? 0)
            nodes[index].wantedChannels =
                referred > 0 ? referred : acceptedChannels(from: index, nodes, outputFeeds)
        }
    }

    /// Returns the number of channels that a receiver of the whole signal accepts; `nil` if every
    /// receiver accepts any number.
    private func acceptedChannels(
        from index: Int, _ nodes: [NodeDraft], _ outputFeeds: [(Feeds, channels: Int?)]
    ) -> Int? {
        for case (let feeds, let channels?) in outputFeeds where feeds.isOnly(fromNode: index) {
            return channels
        }
        for node in nodes where node.feeds.isOnly(fromNode: index) && !node.isStandIn {
            if let ports = node.description?.ports { return PortFitting(ports).requiredCount }
        }
        return nil
    }
}

extension Feeds {
    /// Returns whether the whole signal of a node is the only one.
    fileprivate func isOnly(fromNode index: Int) -> Bool {
        guard case .sideBySide(let feeds) = self, feeds.count == 1, let feed = feeds.first,
            case .all = feed.reference.part
        else { return false }
        return feed.source == .node(index)
    }
}
