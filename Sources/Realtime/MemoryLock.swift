internal import CRealtime
internal import Glibc

/// Keeps all memory of the process in RAM, now and later.
public enum MemoryLock {
    /// Locks the memory where that is allowed without a limit; whether it was.
    ///
    /// With a limit, an allocation beyond it would fail later on: then nothing is locked.
    public static func lock() -> Bool {
        var limit = rlimit()
        let isKnown = getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0
        guard geteuid() == 0 || (isKnown && limit.rlim_cur == rlim_t.max) else { return false }
        return rt_lock_memory()
    }
}
