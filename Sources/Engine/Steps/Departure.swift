internal import CRealtime
internal import Realtime
internal import Synchronization

/// How a node goes away.
struct Departure: BitwiseCopyable {
    /// Whether it goes.
    private(set) var isOn = false
    /// Whether nothing of it is heard any more.
    private(set) var hasEnded = false
    /// Highest magnitude of the last cycle.
    private(set) var peak: Float = 0
    private var level = Swell(1)
    /// How long it may ring on.
    private var tailFrames = 0
    /// Whether held notes have been let go.
    var hasReleasedNotes = false
    private let claim: UnsafeMutablePointer<DepartureClaim>

    init(claim: UnsafeMutablePointer<DepartureClaim>) { self.claim = claim }

    /// Feeds it silence from now on.
    @_noLocks
    mutating func begin(tailFrames newTailFrames: Int) {
        guard !isOn else { return }
        isOn = true
        tailFrames = newTailFrames
        hasReleasedNotes = false
    }

    /// The node stays after all.
    @_noLocks
    mutating func takeBack() {
        isOn = false
        claim.pointee.isHeld.store(false, ordering: .relaxed)
    }

    /// Takes in that a cycle was played, and begins the end where the time is over or nothing is heard.
    @_noLocks
    mutating func ring(_ frames: Int, isSilent: Bool, fadeFrames: Int32) {
        guard isOn, level.target > 0 else { return }
        tailFrames -= frames
        guard tailFrames <= 0 || isSilent, claim.pointee.end() else { return }
        level.move(to: 0, frames: fadeFrames)
    }

    /// Whether its output is as it is.
    var isIdle: Bool { @_noLocks get { !isOn && level.isResting && level.value == 1 } }

    /// Fades a cycle of the node's output, and listens to it.
    @_noLocks
    mutating func run(
        _ outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ count: Int, _ frames: Int
    ) {
        if !(level.isResting && level.value == 1) {
            for frame in 0..<frames {
                let gain = level.next()
                for channel in 0..<count { outputs[channel][frame] *= gain }
            }
        }
        peak = 0
        for channel in 0..<count {
            peak = max(peak, rt_level(outputs[channel], Int64(frames)).peak)
        }
        if level.isResting, level.value == 0, !hasEnded {
            hasEnded = true
            claim.pointee.hasEnded.store(true, ordering: .releasing)
        }
    }
}

/// Who may have a node that goes away: the audio thread, which ends it, or the control side, which takes it back.
struct DepartureClaim: ~Copyable {
    /// Whether it is about to be taken back.
    let isHeld = Atomic<Bool>(false)
    /// Whether its end has begun.
    let isEnding = Atomic<Bool>(false)
    /// Whether nothing of it is heard any more.
    let hasEnded = Atomic<Bool>(false)

    /// Begins the end, unless the node is held.
    @_noLocks
    borrowing func end() -> Bool {
        isEnding.store(true, ordering: .sequentiallyConsistent)
        guard isHeld.load(ordering: .sequentiallyConsistent) else { return true }
        isEnding.store(false, ordering: .sequentiallyConsistent)
        return false
    }

    /// Keeps the node from its end; false where that has begun.
    borrowing func hold() -> Bool {
        isHeld.store(true, ordering: .sequentiallyConsistent)
        guard isEnding.load(ordering: .sequentiallyConsistent) else { return true }
        isHeld.store(false, ordering: .sequentiallyConsistent)
        return false
    }

    /// Whether nothing of it is heard any more.
    var isOver: Bool { hasEnded.load(ordering: .acquiring) }

    /// Lets the node end after all.
    borrowing func release() { isHeld.store(false, ordering: .sequentiallyConsistent) }
}
