/// Limits the bytes sent to unproven addresses to less than three times the bytes received from
/// them, so that forging the address of another machine is of no use to an attacker.
package struct ReplyCredit {
    private var balances: [Endpoint: Balance] = [:]

    /// The limit of the replies to an address, as a multiple of the bytes of its requests.
    package static let factor = 3
    /// The maximum number of stored addresses; if there are more, all counts restart at zero.
    private static let maximumAddresses = 256
    /// The maximum number of received bytes that count.
    private static let maximumBytes = 1 << 20

    private struct Balance {
        var received = 0
        var sent = 0
    }

    /// Creates a list without addresses.
    package init() {}

    /// Counts received bytes.
    package mutating func receive(_ bytes: Int, from sender: Endpoint) {
        if balances[sender] == nil, balances.count >= Self.maximumAddresses { balances = [:] }
        var balance = balances[sender] ?? Balance()
        if balance.received > Self.maximumBytes { balance = Balance() }
        balance.received += max(0, min(bytes, Self.maximumBytes))
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
