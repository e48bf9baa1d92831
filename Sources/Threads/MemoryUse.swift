internal import CRealtime

/// Limits the memory that the process holds without using it.
package enum MemoryUse {
    /// Enough for every library that we call, and an eighth of what glibc reserves.
    private static let stackBytes = 1 << 20
    /// A page: above the pieces that plugins and schedules allocate by the thousand, below their delay lines, tables and
    /// spectra.
    private static let pieceBytes: Int32 = 1 << 12

    /// Gives threads that start from now on 1 MiB of stack, and returns large pieces of memory to the system.
    ///
    /// Locking the memory of the process fills every stack to its last page, and keeps every page of a heap that was ever
    /// in use: delay lines of edited songs would fragment the heaps until nothing else fits.
    /// Each thread keeps its own heap: a plugin that allocates in its run then waits for no other thread.
    package static func limit() {
        rt_limit_stacks(stackBytes)
        rt_return_memory(pieceBytes)
    }
}
