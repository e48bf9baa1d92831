internal import CRealtime
internal import Synchronization

extension PluginShare {
    /// The frame up to which the plugin has rendered.
    ///
    /// It never decreases and never exceeds the posted frames. A shared number outside these bounds
    /// is recorded in the ledger and ignored.
    var playedCount: Int {
        @_noLocks get {
            let known = ledger.pointee.playedFrames.load(ordering: .relaxed)
            let reported = Int(
                truncatingIfNeeded: playedFrames.pointee.load(ordering: .sequentiallyConsistent))
            guard reported >= known,
                reported <= ledger.pointee.postedFrames.load(ordering: .relaxed)
            else {
                ledger.pointee.noteWrong()
                return known
            }
            ledger.pointee.playedFrames.store(reported, ordering: .relaxed)
            return reported
        }
    }

    /// Waits until the plugin has rendered up to a frame, its process is lost, or the time is over.
    ///
    /// - Parameters:
    ///   - end: The frame.
    ///   - patienceNanoseconds: The longest wait.
    @_noLocks
    func wait(until end: Int, patienceNanoseconds: UInt64) {
        guard playedCount < end else { return }
        let start = rt_nanoseconds()
        while ledger.pointee.isLost.load(ordering: .relaxed) == 0 {
            let seen = handledCount.pointee.load(ordering: .relaxed)
            isPlayerAsleep.pointee.store(1, ordering: .sequentiallyConsistent)
            let isDone = playedCount >= end
            let passed = rt_nanoseconds() - start
            if isDone || passed >= patienceNanoseconds { break }
            ledger.pointee.endCycle()
            // Offline, check from time to time whether the process still lives.
            rt_wait_while(handledCount, seen, min(patienceNanoseconds - passed, 20_000_000))
        }
        isPlayerAsleep.pointee.store(0, ordering: .relaxed)
    }
}
