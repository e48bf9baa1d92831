internal import CRealtime

/// Limits the memory that the process holds without using it.
package enum MemoryUse {
    /// The stack of a thread: enough for every library that we call, and an eighth of glibc's
    /// default.
    private static let stackBytes = 1 << 20
    /// The size from which freed memory returns to the system: a page.
    ///
    /// Plugins and schedules allocate thousands of smaller pieces; delay lines, tables and spectra
    /// are larger.
    private static let pieceBytes: Int32 = 1 << 12

    /// Sets the default stack of threads that start later to 1 MiB, and returns large pieces of
    /// freed memory to the system.
    ///
    /// Locked memory includes every page of every stack, and every page of a heap that was ever in
    /// use. The delay lines of edited songs would fragment the heaps until nothing else fits. Each
    /// thread keeps its own heap: a plugin that allocates in its run therefore waits for no other
    /// thread.
    package static func limit() {
        rt_limit_stacks(stackBytes)
        rt_return_memory(pieceBytes)
    }
}
