internal import Synchronization
internal import Platform

/// The limit on the requests of a stream: a burst, and then a fixed number per second.
///
/// A playlist can name a hundred others, or itself. The limit protects the servers that it names.
final class RequestBudget: Sendable {
    /// The largest burst of requests; a playlist with eight variants starts with about twenty.
    static let burst = 24.0
    /// The number of requests per second after the burst.
    private static let requestsPerSecond = 4.0

    private struct State {
        var requests = RequestBudget.burst
        var checkedSeconds = MonotonicTime.nowSeconds
    }

    private let state = Mutex(State())

    /// The time until the next request is allowed, in seconds.
    var waitSeconds: Double {
        state.withLock { state in
            let now = MonotonicTime.nowSeconds
            state.requests = min(
                Self.burst,
                state.requests + (now - state.checkedSeconds) * Self.requestsPerSecond)
            state.checkedSeconds = now
            return max(0, (1 - state.requests) / Self.requestsPerSecond)
        }
    }

    /// Counts a request.
    func spend() { state.withLock { $0.requests -= 1 } }

    /// Restores the full budget, because the user, and not a server, caused the next requests.
    func refill() { state.withLock { $0.requests = Self.burst } }
}
