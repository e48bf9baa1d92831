internal import CLilv
internal import Realtime

/// Zeroed memory for new allocations, as in a new process.
///
/// Some plugins read state that they never wrote. With zeroed memory they sound the same each time,
/// whatever the program freed before. With other memory, their first output depends on it.
enum CleanMemory {
    /// Runs a body whose allocations on this thread are zeroed.
    ///
    /// A new thread would also have an empty cache, but is not needed. Each thread has its own
    /// heap, and with locked memory a heap keeps all memory that it ever used.
    static func during(_ body: () -> Void) {
        let cached = Buffer<UnsafeMutableRawPointer?>(
            count: Int(plugin_cache_pieces), repeating: nil)
        withExtendedLifetime(cached) {
            plugin_empty_cache(cached.start)
            plugin_zero_memory(true)
            body()
            plugin_zero_memory(false)
            plugin_fill_cache(cached.start)
        }
    }
}
