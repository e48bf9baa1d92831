internal import Synchronization

/// The active-node marker: where a runner is in a schedule, for observers on other threads.
struct ActiveNodeMarker: ~Copyable {
    /// The node that runs, or ran last; -1 between cycles and tasks.
    let node = Atomic<Int32>(-1)
    /// The number of finished cycles, or tasks of a worker.
    let count = Atomic<UInt64>(0)
    // Two runners must not write to the same cache line.
    private let padding = InlineArray<14, UInt64>(repeating: 0)

    @_noLocks
    borrowing func enter(_ newNode: Int32) { node.store(newNode, ordering: .relaxed) }

    /// Marks the end of the cycle or the task.
    @_noLocks
    borrowing func leave() {
        node.store(-1, ordering: .relaxed)
        count.store(count.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }
}

/// Detects that the audio thread does not return from a node.
package struct StuckWatch {
    private var last: (node: Int32, count: UInt64) = (-1, 0)
    private var since: UInt64 = 0
    private var wasReported = false

    package init() {}

    /// Returns the node in which the audio thread has been for at least a second, and the time in
    /// seconds; reports each case once.
    package mutating func stuckNode(_ node: Int32, _ count: UInt64, at nanoseconds: UInt64)
        -> (node: Int, seconds: Double)?
    {
        guard node >= 0, last == (node, count) else {
            last = (node, count)
            since = nanoseconds
            wasReported = false
            return nil
        }
        guard !wasReported, nanoseconds - since >= 1_000_000_000 else { return nil }
        wasReported = true
        return (Int(node), Double(nanoseconds - since) / 1e9)
    }
}
