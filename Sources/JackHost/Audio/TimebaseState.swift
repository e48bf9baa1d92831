internal import CJack
internal import Synchronization

/// Whether the program is JACK's timebase master, as the audio thread notices it.
///
/// JACK does not report that another program becomes the master. It calls the callback of the master
/// in every cycle while the transport rolls, and otherwise only for a new position. So a missing call
/// shows that the role is lost while the transport rolls, and a foreign tempo while it is stopped.
struct TimebaseState: ~Copyable {
    /// The number of cycles with a sign of another master after which the role counts as lost.
    private static var mostForeignCycles: Int { @_noLocks get { 32 } }

    private let isMaster = Atomic<Bool>(false)
    private let hasLost = Atomic<Bool>(false)
    /// The cycles with a sign of another master since the last call; only the audio thread counts
    /// them.
    private let foreignCycles = Atomic<Int>(0)
    /// The bits of the tempo in the last call, in beats per minute; 0 before the first call.
    private let lastTempo = Atomic<UInt64>(0)

    /// Expects calls from the next cycle on.
    borrowing func begin() {
        foreignCycles.store(0, ordering: .relaxed)
        lastTempo.store(0, ordering: .relaxed)
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
        guard hasSignOfAnother(jack_rt_time(client)) else { return true }
        let count = foreignCycles.load(ordering: .relaxed) &+ 1
        foreignCycles.store(count, ordering: .relaxed)
        guard count > Self.mostForeignCycles else { return true }
        isMaster.store(false, ordering: .releasing)
        hasLost.store(true, ordering: .releasing)
        return false
    }

    /// Returns whether a position suggests another master, unless a call follows.
    @_noLocks
    private borrowing func hasSignOfAnother(_ time: JackTime) -> Bool {
        let tempo = lastTempo.load(ordering: .relaxed)
        return time.isRolling
            || tempo != 0 && !(time.hasBeats && time.beatsPerMinute.bitPattern == tempo)
    }

    /// Notes a call by JACK, and the tempo that it was given in beats per minute.
    @_noLocks
    borrowing func noteCall(beatsPerMinute: Double) {
        foreignCycles.store(0, ordering: .relaxed)
        lastTempo.store(beatsPerMinute.bitPattern, ordering: .relaxed)
    }
}
