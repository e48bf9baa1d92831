internal import Synchronization

/// One process's private record of a share, in its own memory.
///
/// The plugin's process can write anything anywhere in the shared memory at any time. Therefore
/// this process keeps all its read and write positions here, and compares each number that the
/// other process stores with them.
struct ShareLedger: ~Copyable {
    /// The number of consecutive cycles with an invalid number that are still tolerated.
    private static var wrongCyclesAllowed: UInt32 { @_noLocks get { 2 } }

    /// The number of posted messages; in the plugin's process, of messages carried out.
    let messageCount = Atomic<UInt32>(0)
    /// The frame up to which sound was posted.
    let postedFrames = Atomic<Int>(0)
    /// The last valid value of the frame up to which the plugin has rendered.
    let playedFrames = Atomic<Int>(0)
    /// Not 0 if the plugin's process has ended or was given up.
    let isLost = Atomic<UInt32>(0)
    /// Not 0 if the shared memory contained invalid numbers for several cycles.
    let isDamaged = Atomic<UInt32>(0)
    private let isWrong = Atomic<UInt32>(0)
    private let wrongCycles = Atomic<UInt32>(0)

    /// Whether the plugin's process is given up, or is about to be.
    var isGone: Bool {
        @_noLocks get {
            isLost.load(ordering: .relaxed) != 0 || isDamaged.load(ordering: .relaxed) != 0
        }
    }

    /// Records that the shared memory contains a number that an intact process never stores.
    @_noLocks
    borrowing func noteWrong() { isWrong.store(1, ordering: .relaxed) }

    /// Ends a cycle, or one check of the share during a wait.
    @_noLocks
    borrowing func endCycle() {
        guard isWrong.load(ordering: .relaxed) != 0 else {
            return wrongCycles.store(0, ordering: .relaxed)
        }
        isWrong.store(0, ordering: .relaxed)
        let count = wrongCycles.load(ordering: .relaxed) &+ 1
        wrongCycles.store(count, ordering: .relaxed)
        if count > Self.wrongCyclesAllowed { isDamaged.store(1, ordering: .releasing) }
    }
}
