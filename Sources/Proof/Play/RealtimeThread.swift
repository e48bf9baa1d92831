internal import CRealtime
internal import Glibc

/// The real-time scheduling of the thread that calls it, as JACK gives it to a callback.
///
/// Other programs then interrupt no block.
struct RealtimeThread {
    /// The priority that JACK gives its clients by default.
    private static let priority: Int32 = 10
    /// The priority of the threads on other cores: just below, as live.
    static let workerPriority = priority - 1

    /// Whether the system permits it.
    let isPermitted: Bool

    /// Tries it once.
    init() {
        isPermitted = Self.set(SCHED_FIFO, Self.priority)
        if isPermitted { _ = Self.set(SCHED_OTHER, 0) }
    }

    /// Runs a block with real-time priority; the thread never keeps other programs from running for
    /// longer than that.
    func run(_ body: () -> Void) {
        guard isPermitted else { return body() }
        enter()
        body()
        _ = Self.set(SCHED_OTHER, 0)
    }

    /// Gives this thread real-time priority until it ends, if that is permitted.
    func enter() {
        if isPermitted { _ = Self.set(SCHED_FIFO, Self.priority) }
    }

    private static func set(_ policy: Int32, _ priority: Int32) -> Bool {
        var parameters = sched_param(sched_priority: priority)
        return pthread_setschedparam(pthread_self(), policy, &parameters) == 0
    }
}
