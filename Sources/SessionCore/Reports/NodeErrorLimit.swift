internal import CRealtime
internal import Engine

/// Lets an error of a node pass at most once per second, because a node may fail in every cycle.
struct NodeErrorLimit {
    private static let pauseNanoseconds: UInt64 = 1_000_000_000

    private var nodeIDs: [String]
    private var lastNanoseconds: [NodeError: UInt64] = [:]
    /// Dropped messages that are not published yet, by node.
    private var droppedMessages: [Int32: Int] = [:]

    private enum NodeError: Hashable {
        case nonFinite(Int32)
        case overrun(Int32)
        case dropped(Int32)
    }

    /// Creates a limit for the nodes with these ids.
    init(nodeIDs: [String]) { self.nodeIDs = nodeIDs }

    /// Continues with other nodes.
    mutating func follow(_ newNodeIDs: [String]) { nodeIDs = newNodeIDs }

    /// Returns the event to publish; `nil` if the report is not about an error, or if the same
    /// error was published within the last second.
    mutating func event(for report: Report) -> SessionEvent? {
        switch report {
        case .nonFinite(let node) where passes(.nonFinite(node)): .nonFinite(node: name(node))
        case .droppedMessages(let node, let count): dropped(Int(count), node)
        case .overrun(let node, let overrun) where passes(.overrun(node)):
            .overrun(node: name(node), overrun)
        default: nil
        }
    }

    private mutating func dropped(_ count: Int, _ node: Int32) -> SessionEvent? {
        droppedMessages[node, default: 0] += count
        guard passes(.dropped(node)) else { return nil }
        return .messagesDropped(
            node: name(node), count: droppedMessages.removeValue(forKey: node) ?? count)
    }

    private func name(_ node: Int32) -> String {
        nodeIDs.indices.contains(Int(node)) ? nodeIDs[Int(node)] : ""
    }

    private mutating func passes(_ error: NodeError) -> Bool {
        let now = rt_nanoseconds()
        if let last = lastNanoseconds[error], now - last < Self.pauseNanoseconds { return false }
        lastNanoseconds[error] = now
        return true
    }
}
