internal import Glibc
internal import Synchronization

/// The thread pool for all blocking tasks.
///
/// Free threads are reused, because each thread costs its whole stack if memory is locked. If no
/// thread is free, the pool starts another one.
package final class ErrandThreads: @unchecked Sendable {
    package static let shared = ErrandThreads()

    private struct Turns {
        var waiting: [Errand] = []
        /// Threads that wait for a task or are about to remove a waiting one.
        var freeCount = 0
    }

    private let turns = Mutex(Turns())
    // SAFETY: a semaphore is safe to use from any thread; each post represents a waiting task.
    private let arrival: UnsafeMutablePointer<sem_t>

    private let startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool

    /// Creates a pool without threads; threads that it starts live as long as the program.
    ///
    /// - Parameter startThread: Runs work on a new thread, and returns whether there is one.
    package init(
        startThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = {
            OwnThread.start(name: "errand", $0)
        }
    ) {
        self.startThread = startThread
        arrival = .allocate(capacity: 1)
        arrival.initialize(to: sem_t())
        sem_init(arrival, 0, 0)
    }

    /// Starts a task at once; the caller does it if no thread can be started.
    func run(_ errand: Errand) {
        let isTaken = turns.withLock { turns in
            guard turns.freeCount > turns.waiting.count else { return false }
            turns.waiting.append(errand)
            return true
        }
        if isTaken {
            sem_post(arrival)
        } else if !startThread({ self.work(errand) }) {
            errand.perform()
            errand.tell()
        }
    }

    /// Does tasks forever, starting with the given one.
    private func work(_ first: Errand) {
        var errand = first
        while true {
            errand.perform()
            turns.withLock { $0.freeCount += 1 }
            // After counting this thread as free, so that a waiting thread that now sends another
            // task finds it.
            errand.tell()
            errand = next()
        }
    }

    private func next() -> Errand {
        while true {
            while sem_wait(arrival) != 0 {}
            let errand = turns.withLock { turns -> Errand? in
                guard !turns.waiting.isEmpty else { return nil }
                turns.freeCount -= 1
                return turns.waiting.removeFirst()
            }
            if let errand { return errand }
        }
    }
}
