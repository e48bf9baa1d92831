/// Sorts nodes so that each node comes after the nodes that feed it.
enum NodeOrder {
    /// Returns the indices of the nodes in order, without those in a loop or after one.
    static func indices(of nodes: [NodeDraft]) -> [Int] {
        var waiting = Array(repeating: 0, count: nodes.count)
        var fed: [[Int]] = Array(repeating: [], count: nodes.count)
        for (index, node) in nodes.enumerated() {
            for case .node(let source)? in node.feeds.all.map(\.source) {
                waiting[index] += 1
                fed[source].append(index)
            }
        }
        var order = nodes.indices.filter { waiting[$0] == 0 }
        var seen = 0
        while seen < order.count {
            for index in fed[order[seen]] {
                waiting[index] -= 1
                if waiting[index] == 0 { order.append(index) }
            }
            seen += 1
        }
        return order
    }
}
