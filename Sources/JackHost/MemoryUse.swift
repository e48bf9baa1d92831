internal import CRealtime

/// How much memory the process takes that nobody uses.
public enum MemoryUse {
    /// Room for every library we call, and an eighth of what glibc gives.
    private static let stackBytes = 1 << 20
    /// A page: above what plugins and schedules take by the thousand, below their delay lines, tables and spectra.
    private static let pieceBytes: Int32 = 1 << 12

    /// Has threads that are started from now on take 1 MiB of stack, and large pieces of memory go back to the system.
    ///
    /// Locking the memory of the process fills every stack to its last page, and keeps every page of a heap that once was
    /// in use: delay lines of edited songs would tear the heaps to pieces that fit nothing else.
    /// Each thread keeps a heap of its own: a plugin that allocates in its run then waits for no other thread.
    public static func limit() {
        rt_limit_stacks(stackBytes)
        rt_return_memory(pieceBytes)
    }
}
