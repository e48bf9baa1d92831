/// Datagrams that leave in small portions, so that the receiver's system does not drop a long answer.
struct Outbox {
    /// The most datagrams that leave at a time.
    static let portion = 32
    /// The most datagrams that wait.
    static let most = 4096

    private var waiting: [(endpoint: Endpoint, packet: [UInt8])] = []
    private var first = 0

    var isEmpty: Bool { first == waiting.count }

    /// Puts messages to one endpoint in, in few datagrams.
    ///
    /// - Returns: Whether there was room.
    @discardableResult
    mutating func put(_ messages: [OSCMessage], to endpoint: Endpoint) -> Bool {
        let packets = OSCPacket.packets(of: messages)
        guard waiting.count - first + packets.count <= Self.most else { return false }
        waiting += packets.map { (endpoint, $0) }
        return true
    }

    /// Sends a portion.
    mutating func send(through socket: DatagramSocket) {
        for _ in 0..<Self.portion where !isEmpty {
            let next = waiting[first]
            guard socket.send(next.packet, to: next.endpoint) else { return }
            first += 1
        }
        guard isEmpty else { return }
        waiting.removeAll(keepingCapacity: true)
        first = 0
    }
}
