internal import CRealtime
internal import Engine

/// Passes on a node's faults at most once a second each: a node may fail in every cycle.
struct FaultWatch {
    private var nodes: [String]
    private var lastNanoseconds: [Fault: UInt64] = [:]

    private enum Fault: Hashable {
        case nonFinite(Int32)
        case overrun(Int32)
        case dropped(Int32)
    }
    /// Messages that were dropped and not told of yet, by node.
    private var droppedMessages: [Int32: Int] = [:]

    /// - Parameter nodes: The ids of the pipeline's nodes.
    init(nodes: [String]) { self.nodes = nodes }

    /// Takes the ids of the nodes that reports are of from now on.
    mutating func follow(_ nodeIDs: [String]) { nodes = nodeIDs }

    /// The event to tell of, where the report is of a fault that was not told of within the last second.
    mutating func event(for report: Report) -> SessionEvent? {
        switch report {
        case .nonFinite(let node) where isNews(.nonFinite(node)): .nonFinite(node: name(node))
        case .droppedMessages(let node, let count): dropped(Int(count), node)
        case .overrun(let node, let lateness) where isNews(.overrun(node)):
            .overrun(node: name(node), lateness)
        default: nil
        }
    }

    private mutating func dropped(_ count: Int, _ node: Int32) -> SessionEvent? {
        droppedMessages[node, default: 0] += count
        guard isNews(.dropped(node)) else { return nil }
        return .messagesDropped(
            node: name(node), count: droppedMessages.removeValue(forKey: node) ?? count)
    }

    private func name(_ node: Int32) -> String {
        nodes.indices.contains(Int(node)) ? nodes[Int(node)] : ""
    }

    private mutating func isNews(_ fault: Fault) -> Bool {
        let now = rt_nanoseconds()
        if let last = lastNanoseconds[fault], now - last < 1_000_000_000 { return false }
        lastNanoseconds[fault] = now
        return true
    }
}
