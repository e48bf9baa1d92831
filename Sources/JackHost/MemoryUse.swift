internal import CRealtime

/// How much memory the process takes that nobody uses.
public enum MemoryUse {
    /// Room for every library we call, and an eighth of what glibc gives.
    private static let stackBytes = 1 << 20

    /// Has threads that are started from now on take 1 MiB of stack.
    ///
    /// Locking the memory of the process fills every stack to its last page.
    /// Each thread keeps a heap of its own: a plugin that allocates in its run then waits for no other thread.
    public static func limit() {
        rt_limit_stacks(stackBytes)
    }
}
