/// Sends datagrams in small portions, so that the receiver's system does not drop parts of a long
/// answer.
struct Outbox {
    /// The maximum number of datagrams to send at a time.
    private static let portion = 32
    /// The maximum number of waiting datagrams.
    static let maximumCount = 4096

    private var waiting: [(endpoint: Endpoint, packet: [UInt8])] = []
    private var first = 0

    var isEmpty: Bool { first == waiting.count }

    /// Returns whether there is room for more datagrams.
    func hasRoom(for count: Int) -> Bool { waiting.count - first + count <= Self.maximumCount }

    /// Adds datagrams for a receiver.
    mutating func put(_ packets: [[UInt8]], to endpoint: Endpoint) {
        // The queue may never become empty, so sent datagrams are removed before they outnumber the
        // waiting ones.
        if first >= Self.maximumCount {
            waiting.removeFirst(first)
            first = 0
        }
        waiting += packets.map { (endpoint, $0) }
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
