internal import CJack
internal import Synchronization

/// Whether the program is JACK's timebase master, as the audio thread notices it.
///
/// JACK does not report that another program becomes the master: it only stops calling the
/// callback. JACK 2 calls it in every cycle, PipeWire only while the transport rolls.
struct TimebaseState: ~Copyable {
    /// The cycles without a call after which another program is the master.
    private static var mostSilentCycles: Int { @_noLocks get { 32 } }

    private let isMaster = Atomic<Bool>(false)
    private let hasLost = Atomic<Bool>(false)
    /// The cycles since the last call; only the audio thread counts them.
    private let silentCycles = Atomic<Int>(0)
    /// Whether JACK calls while the transport is stopped.
    private let isCalledAtRest = Atomic<Bool>(false)

    /// Counts on calls from the next cycle on.
    borrowing func begin() {
        silentCycles.store(0, ordering: .relaxed)
        isCalledAtRest.store(false, ordering: .relaxed)
        isMaster.store(true, ordering: .releasing)
    }

    /// Expects no calls any more.
    borrowing func end() { isMaster.store(false, ordering: .releasing) }

    /// Returns whether another program has become the master; `true` only once.
    borrowing func popLoss() -> Bool { hasLost.exchange(false, ordering: .acquiringAndReleasing) }

    /// Returns whether the program is the master in this cycle, and counts the cycle.
    @_noLocks
    borrowing func leads(_ client: OpaquePointer) -> Bool {
        guard isMaster.load(ordering: .acquiring) else { return false }
        guard isCalledAtRest.load(ordering: .relaxed) || jack_rt_is_rolling(client) else {
            return true
        }
        let count = silentCycles.load(ordering: .relaxed) &+ 1
        silentCycles.store(count, ordering: .relaxed)
        guard count > Self.mostSilentCycles else { return true }
        isMaster.store(false, ordering: .releasing)
        hasLost.store(true, ordering: .releasing)
        return false
    }

    /// Notes a call by JACK.
    @_noLocks
    borrowing func noteCall(isRolling: Bool) {
        silentCycles.store(0, ordering: .relaxed)
        if !isRolling { isCalledAtRest.store(true, ordering: .relaxed) }
    }
}
