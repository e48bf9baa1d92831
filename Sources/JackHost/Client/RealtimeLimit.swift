internal import Glibc

/// The limit of the real-time priorities that this process may use.
enum RealtimeLimit {
    /// The highest permitted priority; 0 if none is permitted.
    static var highestPriority: Int32 {
        // A privileged process is not limited.
        guard geteuid() != 0 else { return 99 }
        var limit = rlimit()
        let isKnown = getrlimit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue), &limit) == 0
        return isKnown ? min(99, Int32(clamping: limit.rlim_cur)) : 0
    }
}
