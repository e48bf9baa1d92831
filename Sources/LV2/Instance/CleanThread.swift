internal import CLilv
internal import Glibc

/// A thread that finds the memory it allocates zeroed, as a program's first allocations are.
///
/// Some plugins read state that they never wrote. Made on such a thread they sound the same each time, whatever the
/// program freed before; on any other, their first sound depends on it.
enum CleanThread {
    /// Runs a body on a new thread and waits for its end; on this one where no thread can be made.
    static func run(_ body: () -> Void) {
        withoutActuallyEscaping(body) { escapable in
            var work = escapable
            withUnsafeMutablePointer(to: &work) { work in
                var thread = pthread_t()
                guard pthread_create(&thread, nil, runWithZeroedMemory, work) == 0 else {
                    return work.pointee()
                }
                pthread_join(thread, nil)
            }
        }
    }
}

/// The thread's own function.
///
/// SAFETY: the work outlives the thread, which `run` joins.
private func runWithZeroedMemory(work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    plugin_zero_memory(true)
    work?.assumingMemoryBound(to: (() -> Void).self).pointee()
    plugin_zero_memory(false)
    return nil
}
