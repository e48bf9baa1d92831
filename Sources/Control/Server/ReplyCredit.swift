/// Limits the bytes that are sent to unproven addresses to less than three times the bytes that came from them, so that
/// an attacker gains nothing by forging the address of another machine.
package struct ReplyCredit {
    private var balances: [Endpoint: Balance] = [:]

    /// The replies to an address stay below this multiple of its requests, in bytes.
    package static let factor = 3
    /// The most addresses that are stored; if there are more, all counts start again at zero.
    private static let mostAddresses = 256
    /// The most received bytes that count.
    private static let mostBytes = 1 << 20

    private struct Balance {
        var received = 0
        var sent = 0
    }

    /// Creates a list without addresses.
    package init() {}

    /// Counts received bytes.
    package mutating func receive(_ bytes: Int, from sender: Endpoint) {
        if balances[sender] == nil, balances.count >= Self.mostAddresses { balances = [:] }
        var balance = balances[sender] ?? Balance()
        if balance.received > Self.mostBytes { balance = Balance() }
        balance.received += max(0, min(bytes, Self.mostBytes))
        balances[sender] = balance
    }

    /// Moves the counts of a sender to another list.
    package mutating func move(_ sender: Endpoint, to other: inout ReplyCredit) {
        guard let balance = balances.removeValue(forKey: sender) else { return }
        other.receive(0, from: sender)
        other.balances[sender] = balance
    }

    /// Returns whether bytes may be sent, and counts them if so.
    package mutating func spend(_ bytes: Int, to receiver: Endpoint) -> Bool {
        guard var balance = balances[receiver],
            balance.sent + bytes < balance.received * Self.factor
        else { return false }
        balance.sent += bytes
        balances[receiver] = balance
        return true
    }
}
