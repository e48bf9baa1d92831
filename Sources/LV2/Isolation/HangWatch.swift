internal import CRealtime
internal import Synchronization

/// Notices that a process takes no messages any more though there are some.
struct HangWatch {
    let seconds: Double
    private var taken: UInt32 = 0
    private var since = rt_nanoseconds()

    init(seconds: Double) { self.seconds = seconds }

    mutating func hangs(_ share: PluginShare) -> Bool {
        let now = rt_nanoseconds()
        let newTaken = share.taken.pointee.load(ordering: .relaxed)
        if newTaken != taken || newTaken == share.posted.pointee.load(ordering: .relaxed) {
            (taken, since) = (newTaken, now)
        }
        return Double(now - since) > seconds * 1e9
    }
}
