/// Faults that may come in floods: counted, and told once a second.
struct Complaints {
    /// What may go wrong very often.
    enum Kind: Hashable, CaseIterable {
        case dropped, damaged, stranger
    }

    private var counts: [Kind: (count: Int, sender: Endpoint)] = [:]
    private var lastSeconds = -Double.infinity

    var isEmpty: Bool { counts.isEmpty }

    /// Counts a fault.
    mutating func add(_ kind: Kind, _ sender: Endpoint) {
        counts[kind] = ((counts[kind]?.count ?? 0) + 1, sender)
    }

    /// Takes out what is to be told now, to the one who did it last.
    mutating func due(nowSeconds: Double) -> [(endpoint: Endpoint, message: OSCMessage)] {
        guard !counts.isEmpty, nowSeconds >= lastSeconds + 1 else { return [] }
        defer { counts = [:] }
        lastSeconds = nowSeconds
        return Kind.allCases.compactMap { kind in
            counts[kind].map { ($0.sender, .error("/", Self.text(kind, count: $0.count))) }
        }
    }

    private static func text(_ kind: Kind, count: Int) -> String {
        switch kind {
        case .dropped: "too much at once: \(count) requests were dropped"
        case .damaged:
            "\(count) datagrams were no OSC, or longer than \(OSCPacket.maximumBytes) bytes"
        case .stranger: "first say /token with the word that this show was started with"
        }
    }
}
