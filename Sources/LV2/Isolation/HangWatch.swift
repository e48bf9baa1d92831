internal import CRealtime
internal import Synchronization

/// A detector for a process that makes no progress although messages or sound wait for it.
struct HangWatch {
    let seconds: Double
    private var progress: UInt64 = 0
    private var since = rt_nanoseconds()

    init(seconds: Double) { self.seconds = seconds }

    /// Returns whether the process has made no progress for too long although work waits.
    mutating func hangs(_ share: PluginShare) -> Bool {
        let now = rt_nanoseconds()
        let handledCount = share.handledCount.pointee.load(ordering: .relaxed)
        let played = share.playedFrames.pointee.load(ordering: .relaxed)
        let posted = share.ledger.pointee.postedFrames.load(ordering: .relaxed)
        // A process that only counts messages but renders no sound hangs as well.
        let awaitsSound = played != UInt64(truncatingIfNeeded: posted)
        let isIdle =
            !awaitsSound
            && handledCount == share.ledger.pointee.messageCount.load(ordering: .relaxed)
        let newProgress = awaitsSound ? played : UInt64(handledCount)
        if isIdle || newProgress != progress { (progress, since) = (newProgress, now) }
        return Double(now - since) > seconds * 1e9
    }
}
