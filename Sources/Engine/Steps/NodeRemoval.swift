internal import CRealtime
internal import Realtime
internal import Synchronization

/// The state of a node that is being removed.
struct NodeRemoval: BitwiseCopyable {
    /// Whether the node is being removed.
    private(set) var isOn = false
    /// Whether the node is no longer audible.
    private(set) var hasEnded = false
    /// The peak magnitude of the last cycle.
    private(set) var peak: Float = 0
    private var level = SmoothRamp(1)
    /// The remaining frames of the tail.
    private var tailFrames = 0
    /// Whether held notes have been released.
    var hasReleasedNotes = false
    private let claim: UnsafeMutablePointer<NodeRemovalClaim>

    init(claim: UnsafeMutablePointer<NodeRemovalClaim>) { self.claim = claim }

    /// Starts the removal: the node receives silence from now on.
    @_noLocks
    mutating func begin(tailFrames newTailFrames: Int) {
        guard !isOn else { return }
        isOn = true
        tailFrames = newTailFrames
        hasReleasedNotes = false
    }

    /// Ends the tail: the node fades out when the fades of its schedule are over.
    @_noLocks
    mutating func endTail() { tailFrames = 0 }

    /// Cancels the removal: the node remains in the pipeline.
    @_noLocks
    mutating func cancel() {
        isOn = false
        claim.pointee.isHeld.store(false, ordering: .relaxed)
    }

    /// Records a cycle, and starts the fade-out if the time is over or the node is silent.
    @_noLocks
    mutating func ringOut(_ frames: Int, isSilent: Bool, fadeFrames: Int32) {
        guard isOn, level.target > 0 else { return }
        tailFrames -= frames
        guard tailFrames <= 0 || isSilent, claim.pointee.end() else { return }
        level.move(to: 0, frames: fadeFrames)
    }

    /// Whether the output passes unchanged.
    var isIdle: Bool { @_noLocks get { !isOn && level.isResting && level.value == 1 } }

    /// Applies the fade to a cycle of the node's output, and measures its peak.
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

/// Decides between the audio thread, which ends a node that is being removed, and the control side,
/// which may return the node to the pipeline.
struct NodeRemovalClaim: ~Copyable {
    /// Whether the control side holds the node, to return it to the pipeline.
    let isHeld = Atomic<Bool>(false)
    /// Whether the end of the node has begun.
    let isEnding = Atomic<Bool>(false)
    /// Whether the node is no longer audible.
    let hasEnded = Atomic<Bool>(false)

    /// Begins the end of the node, unless it is held; returns whether the end has begun.
    @_noLocks
    borrowing func end() -> Bool {
        isEnding.store(true, ordering: .sequentiallyConsistent)
        guard isHeld.load(ordering: .sequentiallyConsistent) else { return true }
        isEnding.store(false, ordering: .sequentiallyConsistent)
        return false
    }

    /// Prevents the end of the node; returns false if the end has already begun.
    borrowing func hold() -> Bool {
        isHeld.store(true, ordering: .sequentiallyConsistent)
        guard isEnding.load(ordering: .sequentiallyConsistent) else { return true }
        isHeld.store(false, ordering: .sequentiallyConsistent)
        return false
    }

    /// Whether the node is no longer audible.
    var isOver: Bool { hasEnded.load(ordering: .acquiring) }

    /// Allows the node to end again.
    borrowing func release() { isHeld.store(false, ordering: .sequentiallyConsistent) }
}
