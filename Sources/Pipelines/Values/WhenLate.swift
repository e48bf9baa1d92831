public import Processing

/// The cheaper variant of a node, for times in which the machine is too slow.
public struct WhenLate: Sendable, Equatable, Codable {
    /// The ranks that a file can give.
    public static let ranks = 1...100
    /// The rank of a node that gives none.
    public static let standardRank = 1

    /// The order in which nodes are reduced: 1 first, and nodes of equal rank in the order of the
    /// file.
    public var rank: Int
    /// The settings that replace those of the node; empty if the node is bypassed.
    public var settings: [String: SettingValue]
    /// The settings that the variant does not have, because another one replaces them.
    public var removedSettings: Set<String>
    /// Whether the node is bypassed and does not run.
    public var isBypass: Bool

    /// Creates a variant from its properties.
    public init(
        rank: Int = standardRank, settings: [String: SettingValue] = [:],
        removing removedSettings: Set<String> = [], isBypass: Bool = false
    ) {
        self.rank = rank
        self.settings = settings
        self.removedSettings = removedSettings
        self.isBypass = isBypass
    }

    /// Returns the settings of the variant of a node.
    ///
    /// - Parameter own: The settings of the node.
    /// - Returns: The settings.
    public func applied(to own: [String: SettingValue]) -> [String: SettingValue] {
        own.filter { !removedSettings.contains($0.key) }.merging(settings) { $1 }
    }
}

extension Pipeline.Node {
    /// The settings that the processors have: those of the node, or of its cheaper variant.
    public var playedSettings: [String: SettingValue] {
        guard isReduced, let whenLate else { return settings }
        return whenLate.applied(to: settings)
    }

    /// Whether the node is reduced to a bypass, so that it does not run.
    public var isPaused: Bool { isReduced && whenLate?.isBypass == true }

    /// Returns whether the processors of this node could be those of another version of it, as far
    /// as settings and reductions decide.
    public func runsLike(_ other: Self) -> Bool {
        isPaused == other.isPaused && playedSettings == other.playedSettings
    }
}

extension Pipeline {
    /// Whether any node has a cheaper variant.
    public var hasReducibleNodes: Bool { nodes.contains { $0.whenLate != nil } }

    /// The indices of the nodes with a cheaper variant, in the order in which they are reduced.
    public var reductionOrder: [Int] {
        nodes.indices.filter { nodes[$0].whenLate != nil && !nodes[$0].isStandIn }
            .sorted { (nodes[$0].rank, $0) < (nodes[$1].rank, $1) }
    }

    /// The ids of the reduced nodes, in the order in which they were reduced.
    public var reducedNodes: [String] {
        reductionOrder.filter { nodes[$0].isReduced }.map { nodes[$0].id }
    }

    /// Returns the pipeline with one node reduced or restored, given by its index.
    public func reducing(_ index: Int, _ isReduced: Bool) -> Pipeline {
        var result = self
        result.nodes[index].isReduced = isReduced
        return result
    }

    /// Returns the pipeline with all nodes restored.
    public var withoutReductions: Pipeline {
        var result = self
        for index in nodes.indices where nodes[index].isReduced {
            result.nodes[index].isReduced = false
        }
        return result
    }

    /// Returns an edited pipeline in which the nodes that are reduced in another version remain
    /// reduced, if they still have a cheaper variant.
    public func adoptingReductions(of other: Pipeline) -> Pipeline {
        let reduced = Set(other.nodes.filter(\.isReduced).map(\.id))
        guard !reduced.isEmpty else { return self }
        var result = self
        for index in nodes.indices
        where nodes[index].whenLate != nil && !nodes[index].isStandIn
            && reduced.contains(nodes[index].id)
        {
            result.nodes[index].isReduced = true
        }
        return result
    }
}

extension Pipeline.Node {
    fileprivate var rank: Int { whenLate?.rank ?? WhenLate.standardRank }
}
