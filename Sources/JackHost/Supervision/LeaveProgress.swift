internal import CRealtime
internal import Synchronization

/// The progress of a session that leaves its server, for any thread that waits for its end.
final class LeaveProgress: Sendable {
    /// The time that one step may take: on a busy machine jackd answers many other clients in
    /// between.
    private static let stepNanoseconds: UInt64 = 6_000_000_000

    private let nanoseconds = Atomic<UInt64>(0)
    private let isOver = Atomic<Bool>(false)
    private let isGone = Atomic<Bool>(false)

    /// Notes that JACK has just answered or called the client, or that another instance holds the
    /// lock.
    func note() { nanoseconds.store(rt_nanoseconds(), ordering: .relaxed) }

    /// Notes that the session has left, or that it has given up.
    func end(hasLeft: Bool) {
        isGone.store(hasLeft, ordering: .relaxed)
        isOver.store(true, ordering: .relaxed)
    }

    /// Whether the session has left the server.
    var hasLeft: Bool { isGone.load(ordering: .relaxed) }

    /// Whether the last step was recent; `false` before the first step and after the end.
    var isProgressing: Bool {
        let last = nanoseconds.load(ordering: .relaxed)
        return !isOver.load(ordering: .relaxed) && last != 0
            && rt_nanoseconds() < last + Self.stepNanoseconds
    }
}
