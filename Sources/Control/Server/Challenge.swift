/// Numbers with which programs prove that they receive datagrams at their address.
///
/// The source of a datagram can be forged. Only the program at the address itself sees the number
/// that is sent to it. No challenge is stored: its number is calculated from the address, the time
/// and a secret of this process.
package struct Challenge {
    /// The shortest validity of a number, in seconds; the longest one is twice this time.
    package static let windowSeconds = 30.0

    private let secrets: (UInt64, UInt64)

    /// Creates challenges with a secret from the system's random source.
    package init() { secrets = (.random(in: .min ... .max), .random(in: .min ... .max)) }

    /// Returns the number that an address must send back.
    package func number(for sender: Endpoint, nowSeconds: Double) -> Int64 {
        number(for: sender, window: Self.window(nowSeconds))
    }

    /// Returns whether a number is the one that the address must send back.
    package func isAnswer(_ number: Int64, from sender: Endpoint, nowSeconds: Double) -> Bool {
        let window = Self.window(nowSeconds)
        return number == self.number(for: sender, window: window)
            || number == self.number(for: sender, window: window - 1)
    }

    private static func window(_ nowSeconds: Double) -> Int {
        Int((nowSeconds / windowSeconds).rounded(.down))  // checked: seconds of our own clock
    }

    private func number(for sender: Endpoint, window: Int) -> Int64 {
        // SipHash with a separate key.
        var hasher = Hasher()
        hasher.combine(secrets.0)
        hasher.combine(secrets.1)
        hasher.combine(sender)
        hasher.combine(window)
        return Int64(hasher.finalize())  // checked: as wide
    }
}
