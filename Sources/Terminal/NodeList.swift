package import SessionCore

/// The nodes of the view, in an order that does not change while a node is chosen.
///
/// A status names the nodes in the order of the pipeline, but not always all of them.
package struct NodeList {
    /// The number of nodes that are shown.
    private static let shownCount = 5
    /// The share of a node's remembered load that remains at the next status.
    private static let memory = 0.98
    /// The factor by which a hidden node's load must exceed that of a shown one to replace it.
    private static let margin = 1.5
    /// The number of statuses after which a node that none of them names is removed.
    private static let patience = 120

    private struct Entry {
        var load: SessionStatus.NodeLoad
        /// The highest load, which is forgotten slowly.
        var remembered = 0.0
        /// The number of statuses since the last one that named the node.
        var absence = 0
        var isShown = false
    }

    private var entries: [Entry] = []

    /// Creates an empty list.
    package init() {}

    /// The names of all nodes, in the order of the pipeline.
    package var names: [String] { entries.map(\.load.node) }

    /// The loads of the nodes that use the most time, in the order of the pipeline.
    package var shown: [SessionStatus.NodeLoad] { entries.filter(\.isShown).map(\.load) }

    /// Updates the loads.
    ///
    /// - Parameters:
    ///   - loads: The loads of a status.
    ///   - chosen: The name of the node that stays in the list while it is chosen; `nil` for none.
    package mutating func receive(_ loads: [SessionStatus.NodeLoad], chosen: String?) {
        for index in entries.indices {
            entries[index].remembered *= Self.memory
            entries[index].absence += 1
        }
        entries.removeAll { $0.absence > Self.patience }
        var next = 0
        for load in loads {
            let index = entries.firstIndex { $0.load.node == load.node }
            if let index {
                entries[index].load = load
            } else {
                entries.insert(Entry(load: load), at: next)
            }
            let position = index ?? next
            entries[position].remembered = max(entries[position].remembered, load.worst)
            entries[position].absence = 0
            next = position + 1
        }
        fill()
        exchange(keeping: chosen)
    }

    /// Removes all nodes.
    mutating func removeAll() { entries = [] }

    /// Shows the hidden nodes with the highest load while there is room.
    private mutating func fill() {
        while entries.count(where: \.isShown) < Self.shownCount, let index = mostCostlyHidden {
            entries[index].isShown = true
        }
    }

    /// Replaces the shown node with the lowest load if a hidden one uses much more time.
    private mutating func exchange(keeping chosen: String?) {
        let candidates = entries.indices.filter {
            entries[$0].isShown && entries[$0].load.node != chosen
        }
        guard let hidden = mostCostlyHidden,
            let lowest = candidates.min(by: { entries[$0].remembered < entries[$1].remembered }),
            entries[hidden].remembered > Self.margin * entries[lowest].remembered
        else { return }
        entries[lowest].isShown = false
        entries[hidden].isShown = true
    }

    /// The index of the hidden node with the highest load; `nil` if all are shown.
    private var mostCostlyHidden: Int? {
        entries.indices.filter { !entries[$0].isShown }
            .max { entries[$0].remembered < entries[$1].remembered }
    }
}
