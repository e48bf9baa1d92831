internal import Glibc

/// The amount of memory allocated in this process, as counted by the address sanitizer.
///
/// The sanitizer's own leak detection does not see pointers whose spare bits Swift uses, and would
/// report live memory.
enum AllocatedMemory {
    private typealias Count = @convention(c) () -> Int
    /// The sanitizer's counter; `nil` in a program without the sanitizer.
    private static let count = dlsym(nil, "__sanitizer_get_current_allocated_bytes").map {
        // SAFETY: the sanitizer's interface declares this type.
        unsafeBitCast($0, to: Count.self)
    }

    /// Repeats the same work and checks that its memory is released, except for what the first runs
    /// keep.
    static func checkNoGrowth(_ work: () -> Void) {
        work()
        guard let count else { return }
        var growths: [Int] = []
        while growths.count < 3 {
            let before = count()
            work()
            let growth = count() - before
            if growth <= 0 { return }
            growths.append(growth)
        }
        fatalError("each time \(growths) bytes more stay allocated")
    }
}
