/// The offers that are open, and the wrong codes that were tried.
///
/// Only the server's thread uses it.
package struct PairingDesk {
    /// The wrong codes after which all open offers end.
    package static let mostWrongCodes = 10
    /// The wrong codes after which one network address may try no more until the next offer.
    package static let mostWrongCodesPerAddress = 3
    /// The largest number of open offers; older ones end.
    private static let mostOffers = 4

    /// The result of an attempt.
    package enum Verdict {
        /// The code is right; the offer is closed now.
        case paired(PairingOffer)
        /// The code is wrong.
        case wrong
        /// The address has tried too many wrong codes.
        case tooMany
        /// This wrong code has ended all offers.
        case exhausted
        /// There is no open offer.
        case closed
    }

    private var offers: [PairingOffer] = []
    /// The offers that were used or have ended, which a file may still contain.
    private var ended: Set<String> = []
    private var wrongCount = 0
    private var wrongCounts: [IPAddress: Int] = [:]

    /// Creates a desk without offers.
    package init() {}

    /// Whether a code can be used now.
    package func isOpen(nowSeconds: Int) -> Bool { offers.contains { $0.endSeconds > nowSeconds } }

    /// Opens an offer, and allows new attempts.
    package mutating func open(_ offer: PairingOffer) {
        guard !ended.contains(offer.id), !offers.contains(where: { $0.id == offer.id }) else {
            return
        }
        offers.append(offer)
        while offers.count > Self.mostOffers { close(offers[0].id) }
        (wrongCount, wrongCounts) = (0, [:])
    }

    /// Closes an offer.
    package mutating func close(_ id: String) {
        offers.removeAll { $0.id == id }
        if ended.count >= 256 { ended = [] }
        ended.insert(id)
    }

    /// Tries a code.
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - address: The address of the sender.
    ///   - nowSeconds: The time, in seconds since 1970.
    /// - Returns: The verdict.
    package mutating func attempt(
        _ code: String, from address: IPAddress?, nowSeconds: Int
    ) -> Verdict {
        for offer in offers where offer.endSeconds <= nowSeconds { close(offer.id) }
        guard !offers.isEmpty else { return .closed }
        let network = address?.network
        if let network, wrongCounts[network, default: 0] >= Self.mostWrongCodesPerAddress {
            return .tooMany
        }
        // All offers are compared, so that the time does not depend on the code.
        let found = offers.filter { $0.matches(code) }
        if let offer = found.first {
            close(offer.id)
            return .paired(offer)
        }
        wrongCount += 1
        if let network { wrongCounts[network, default: 0] += 1 }
        guard wrongCount >= Self.mostWrongCodes else { return .wrong }
        for offer in offers { close(offer.id) }
        return .exhausted
    }
}
