internal import Synchronization

/// Where the audio thread is in a schedule, for whoever looks from outside.
struct Whereabouts: ~Copyable {
    /// The node that is running, or ran last; -1 between cycles.
    let node = Atomic<Int32>(-1)
    /// How many cycles were played.
    let count = Atomic<UInt64>(0)

    @_noLocks
    borrowing func enter(_ newNode: Int32) { node.store(newNode, ordering: .relaxed) }

    /// The cycle is over.
    @_noLocks
    borrowing func leave() {
        node.store(-1, ordering: .relaxed)
        count.store(count.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }
}

/// Finds out that the audio thread does not come back from a node.
package struct StuckWatch {
    private var last: (node: Int32, count: UInt64) = (-1, 0)
    private var since: UInt64 = 0
    private var wasTold = false

    package init() {}

    /// The node that the audio thread has been in for a second, and for how many; once each time.
    package mutating func stuckNode(_ node: Int32, _ count: UInt64, at nanoseconds: UInt64)
        -> (node: Int, seconds: Double)?
    {
        guard node >= 0, last == (node, count) else {
            last = (node, count)
            since = nanoseconds
            wasTold = false
            return nil
        }
        guard !wasTold, nanoseconds - since >= 1_000_000_000 else { return nil }
        wasTold = true
        return (Int(node), Double(nanoseconds - since) / 1e9)
    }
}
