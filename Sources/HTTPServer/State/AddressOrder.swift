/// Addresses in the order of the session, each once.
package struct AddressOrder {
    /// The addresses in order.
    package private(set) var all: [String] = []
    private var indices: [String: Int] = [:]

    /// Creates an order without addresses.
    package init() {}

    /// Creates an order from a list; of an address that occurs twice, the first one counts.
    package init(_ addresses: [String]) {
        for address in addresses { add(address) }
    }

    /// Adds an address at the end, unless it is there already.
    package mutating func add(_ address: String) {
        guard indices[address] == nil else { return }
        indices[address] = all.count
        all.append(address)
    }

    /// Returns the addresses of a set in order, with work in proportion to the set.
    ///
    /// - Parameter addresses: The addresses; unknown ones are left out.
    /// - Returns: The addresses in order.
    package func sorted(_ addresses: Set<String>) -> [String] {
        addresses.compactMap { indices[$0] }.sorted().map { all[$0] }
    }
}
