/// Counts refused requests, which may be very frequent, and reports them at most twice per second.
struct RefusalLog {
    private static let pauseSeconds = 0.5

    private var counts: [ServerNotice.Refusal: Int] = [:]
    private var lastSeconds = -Double.infinity
    /// The number of all refused requests.
    private(set) var total = 0

    /// Counts a refused request.
    mutating func add(_ refusal: ServerNotice.Refusal) {
        counts[refusal, default: 0] += 1
        total += 1
    }

    /// The time until the waiting counts may be reported, in seconds; `nil` if none wait.
    func waitSeconds(nowSeconds: Double) -> Double? {
        counts.isEmpty ? nil : max(0, lastSeconds + Self.pauseSeconds - nowSeconds)
    }

    /// Removes and returns the due notices.
    mutating func due(nowSeconds: Double) -> [ServerNotice] {
        guard waitSeconds(nowSeconds: nowSeconds) == 0 else { return [] }
        defer { counts = [:] }
        lastSeconds = nowSeconds
        return ServerNotice.Refusal.allCases.compactMap { reason in
            counts[reason].map { .refused(count: $0, reason) }
        }
    }
}
