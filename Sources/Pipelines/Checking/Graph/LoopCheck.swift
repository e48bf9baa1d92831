/// Finds loops of nodes, and reports each loop in full.
///
/// The check walks from each node to the nodes that feed it, and keeps the path. Its run time is
/// proportional to the number of references.
struct LoopCheck {
    let context: CheckContext
    private let nodes: [NodeDraft]
    private let sources: [[Int]]
    private var states: [State]
    private var isReported: [Bool]
    /// The nodes on the path, each with the number of its sources that have been visited.
    private var path: [(node: Int, seen: Int)] = []

    private enum State { case unseen, onPath, done }

    init(context: CheckContext, nodes: [NodeDraft]) {
        self.context = context
        self.nodes = nodes
        sources = nodes.map { node in
            node.feeds.all.compactMap { feed in
                if case .node(let index) = feed.source { index } else { nil }
            }
        }
        states = Array(repeating: .unseen, count: nodes.count)
        isReported = Array(repeating: false, count: nodes.count)
    }

    /// Reports every loop, except those that share a node with a reported one.
    mutating func check() {
        for node in nodes.indices where states[node] == .unseen { walk(from: node) }
    }

    private mutating func walk(from start: Int) {
        enter(start)
        while let (node, seen) = path.last {
            guard seen < sources[node].count else {
                states[node] = .done
                path.removeLast()
                continue
            }
            path[path.count - 1].seen += 1
            let source = sources[node][seen]
            switch states[source] {
            case .unseen: enter(source)
            case .onPath: report(loopThrough: source)
            case .done: break
            }
        }
    }

    private mutating func enter(_ node: Int) {
        states[node] = .onPath
        path.append((node, 0))
    }

    /// Reports the loop from `node` to the end of the path, which runs against the signal flow.
    private mutating func report(loopThrough node: Int) {
        guard let loopStart = path.lastIndex(where: { $0.node == node }) else { return }
        let loop = path[loopStart...].map(\.node).reversed().map { $0 }
        guard !loop.contains(where: { isReported[$0] }), let first = loop.min(),
            let rotation = loop.firstIndex(of: first)
        else { return }
        for node in loop { isReported[node] = true }
        let rotated = Array(loop[rotation...]) + Array(loop[..<rotation]) + [first]
        let names = rotated.map { nodes[$0].id }.joined(separator: " → ")
        context.errors.report(
            .cycle, at: nodes[first].feedOffset,
            "the signal runs in a loop: \(names)")
    }
}
