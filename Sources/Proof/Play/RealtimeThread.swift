internal import Glibc

/// The scheduling of this thread: as a callback of JACK's during a block, normal otherwise.
///
/// Other programs then interrupt no block, and the thread never keeps them from running for longer
/// than a block.
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

    /// Runs a block.
    func run(_ body: () -> Void) {
        guard isPermitted else { return body() }
        _ = Self.set(SCHED_FIFO, Self.priority)
        body()
        _ = Self.set(SCHED_OTHER, 0)
    }

    private static func set(_ policy: Int32, _ priority: Int32) -> Bool {
        var parameters = sched_param(sched_priority: priority)
        return pthread_setschedparam(pthread_self(), policy, &parameters) == 0
    }
}
