internal import CRealtime
internal import Glibc

/// Keeps all current and future memory of the process in RAM.
public enum MemoryLock {
    /// Locks the memory if the process may do so without a limit.
    ///
    /// If there is a limit, nothing is locked, because a later allocation beyond the limit would
    /// fail.
    ///
    /// - Returns: Whether the memory is locked.
    public static func lock() -> Bool {
        var limit = rlimit()
        let isKnown = getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0
        guard geteuid() == 0 || (isKnown && limit.rlim_cur == rlim_t.max) else { return false }
        return rt_lock_memory()
    }
}
