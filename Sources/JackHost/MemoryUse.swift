internal import CRealtime

/// How much memory the process takes that nobody uses.
public enum MemoryUse {
    /// Room for every library we call, and an eighth of what glibc gives.
    private static let stackBytes = 1 << 20

    /// Has threads that are started from now on take 1 MiB of stack, and one heap for all.
    ///
    /// Locking the memory of the process fills every stack to its last page, and counts every address that is reserved.
    /// The audio thread never waits for the heap: it does not use it.
    public static func limit() {
        rt_limit_stacks(stackBytes)
        rt_share_heap()
    }
}
