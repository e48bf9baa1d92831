/// The order in which every node comes after what feeds it.
enum NodeOrder {
    /// The nodes' places; without those in a loop or behind one.
    static func places(of nodes: [NodeDraft]) -> [Int] {
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
