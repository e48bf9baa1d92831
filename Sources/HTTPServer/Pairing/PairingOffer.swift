/// An offer to pair one device: it ends when the code is used, after five minutes, or after too many
/// wrong codes.
package struct PairingOffer: Sendable {
    /// The time in which the code can be used, in seconds.
    package static let validSeconds = 300

    /// A text that differs for each offer.
    package let id: String
    /// The rights that the device gets.
    package let permit: Permit
    /// The end of the offer, in seconds since 1970.
    package let endSeconds: Int
    private let hash: AccessHash

    /// Creates an offer with a new code.
    ///
    /// - Parameters:
    ///   - permit: The rights that the device gets.
    ///   - nowSeconds: The time, in seconds since 1970.
    /// - Returns: The offer, and its code of six digits.
    package static func make(
        _ permit: Permit, nowSeconds: Int
    ) -> (offer: PairingOffer, code: String) {
        var random = SystemRandomNumberGenerator()
        let digits = String(Int.random(in: 1_000_000..<2_000_000, using: &random))
        let code = String(digits.dropFirst())
        let id = RemoteDevice.randomID()
        let offer = PairingOffer(
            id: id, permit: permit, endSeconds: nowSeconds + validSeconds,
            hash: hash(of: code, id: id))
        return (offer, code)
    }

    /// Creates an offer from its parts.
    package init(id: String, permit: Permit, endSeconds: Int, hash: AccessHash) {
        self.id = id
        self.permit = permit
        self.endSeconds = endSeconds
        self.hash = hash
    }

    /// The hash of the code as text.
    package var hashText: String { hash.text }

    /// Returns whether a code is the one of the offer, in constant time.
    package func matches(_ code: String) -> Bool {
        Self.hash(of: code, id: id).equals(hash)
    }

    private static func hash(of code: String, id: String) -> AccessHash {
        AccessHash(of: "\(id):\(code)")
    }
}
