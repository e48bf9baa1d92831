internal import CLilv

/// Memory that is zero when it is allocated, as a program's first allocations are.
///
/// Some plugins read state that they never wrote. Made with such memory they sound the same each time, whatever the
/// program freed before; with any other, their first sound depends on it.
enum CleanMemory {
    /// Runs a body, which finds what it allocates on this thread zeroed.
    ///
    /// It needs no new thread, which would be sure of a clean cache: each thread has a heap of its own, and where memory
    /// is locked a heap keeps all that it ever took.
    static func during(_ body: () -> Void) {
        let cached = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(
            capacity: plugin_cache_pieces)
        plugin_empty_cache(cached)
        plugin_zero_memory(true)
        body()
        plugin_zero_memory(false)
        plugin_fill_cache(cached)
        cached.deallocate()
    }
}
