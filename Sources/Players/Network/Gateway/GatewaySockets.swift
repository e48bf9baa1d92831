internal import Glibc
internal import Synchronization

/// The sockets of a gateway, which can all be shut down at once, and the last error in them.
final class GatewaySockets: Sendable {
    private struct State {
        var open: Set<Int32> = []
        var isClosed = false
        var error: StreamError?
        var requestCount = 0
        var lookupCount = 0
    }

    private let state = Mutex(State())

    /// Registers a socket; closes it if the gateway has already ended.
    ///
    /// - Returns: Whether the socket may be used. Its user closes it with `close`.
    func add(_ socket: Int32) -> Bool {
        state.withLock { state in
            if state.isClosed { Glibc.close(socket) } else { state.open.insert(socket) }
            return !state.isClosed
        }
    }

    /// Closes a registered socket.
    func close(_ socket: Int32) {
        state.withLock { state in
            state.open.remove(socket)
            Glibc.close(socket)
        }
    }

    /// Shuts down all connections, which wakes the threads that read or write there.
    func end() {
        state.withLock { state in
            state.isClosed = true
            for socket in state.open { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Whether all connections have been shut down.
    var isClosed: Bool { state.withLock(\.isClosed) }

    /// The number of requests in progress.
    var requestCount: Int { state.withLock(\.requestCount) }

    /// Changes the number of requests in progress: by 1 at the start of one, by -1 at its end.
    func count(_ change: Int) { state.withLock { $0.requestCount += change } }

    /// Whether any request in progress is not waiting for a name lookup.
    ///
    /// A name lookup cannot be interrupted.
    var isBusy: Bool { state.withLock { $0.requestCount > $0.lookupCount } }

    /// Changes the number of name lookups in progress: by 1 at the start of one, by -1 at its end.
    func countLookup(_ change: Int) { state.withLock { $0.lookupCount += change } }

    /// The reason why the last failed request failed.
    var error: StreamError? { state.withLock(\.error) }

    /// Records why a request failed.
    func report(_ error: StreamError) { state.withLock { $0.error = error } }
}
