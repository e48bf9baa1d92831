internal import CRealtime
internal import Synchronization

extension PluginShare {
    /// Up to which frame the plugin has played.
    var playedCount: Int { @_noLocks get { Int(playedFrames.pointee.load(ordering: .acquiring)) } }

    /// Waits until the plugin has played up to a frame, until its process is lost, or for so long.
    @_noLocks
    func wait(until end: Int, patienceNanoseconds: UInt64) {
        guard playedCount < end else { return }
        let start = rt_nanoseconds()
        while isLost.pointee.load(ordering: .relaxed) == 0 {
            let seen = taken.pointee.load(ordering: .relaxed)
            isPlayerAsleep.pointee.store(1, ordering: .sequentiallyConsistent)
            let isDone = Int(playedFrames.pointee.load(ordering: .sequentiallyConsistent)) >= end
            let passed = rt_nanoseconds() - start
            if isDone || passed >= patienceNanoseconds { break }
            // Off the clock it looks now and then whether the process still lives.
            rt_wait_while(taken, seen, min(patienceNanoseconds - passed, 20_000_000))
        }
        isPlayerAsleep.pointee.store(0, ordering: .relaxed)
    }
}
