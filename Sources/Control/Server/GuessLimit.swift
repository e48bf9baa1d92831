/// Limits the guesses of a token, per address and in total: a burst, and then a fixed number per
/// second.
package struct GuessLimit {
    private var all = Bucket()
    private var addresses: [UInt32: Bucket] = [:]

    private static let addressRate = Rate(atOnce: 5, perSecond: 0.1)
    private static let totalRate = Rate(atOnce: 20, perSecond: 2)
    /// The maximum number of stored addresses; for all others, only the total limit applies.
    private static let maximumAddresses = 256

    /// Creates a limit without guesses.
    package init() {}

    /// Returns whether a guess may be compared, and counts it if so.
    package mutating func allows(_ sender: Endpoint, nowSeconds: Double) -> Bool {
        all.fill(Self.totalRate, nowSeconds: nowSeconds)
        var own = addresses[sender.address] ?? Bucket()
        own.fill(Self.addressRate, nowSeconds: nowSeconds)
        guard all.isOpen, own.isOpen else { return false }
        all.use()
        own.use()
        if addresses[sender.address] == nil, addresses.count >= Self.maximumAddresses {
            forget(nowSeconds: nowSeconds)
            if addresses.count >= Self.maximumAddresses { return true }
        }
        addresses[sender.address] = own
        return true
    }

    /// Removes addresses that have been silent long enough to have all their guesses again.
    private mutating func forget(nowSeconds: Double) {
        addresses = addresses.filter { address, bucket in
            var bucket = bucket
            bucket.fill(Self.addressRate, nowSeconds: nowSeconds)
            return bucket.used > 0
        }
    }

    private struct Rate {
        let atOnce: Double
        let perSecond: Double
    }

    /// A count of recent guesses, which decreases at the rate at which new ones are allowed.
    private struct Bucket {
        private(set) var used = 0.0
        private var most = 0.0
        private var seconds = 0.0

        var isOpen: Bool { used + 1 <= most }

        mutating func fill(_ rate: Rate, nowSeconds: Double) {
            used = max(0, used - max(0, nowSeconds - seconds) * rate.perSecond)
            (most, seconds) = (rate.atOnce, nowSeconds)
        }

        mutating func use() { used += 1 }
    }
}
