internal import Glibc
internal import Synchronization

/// The threads of all errands: one that is free takes the next, for a thread's stack costs its whole length where memory is
/// locked; an errand that finds none free has one started.
package final class ErrandThreads: @unchecked Sendable {
    package static let shared = ErrandThreads()

    private struct Turns {
        var waiting: [Errand] = []
        /// Threads that wait for an errand, or are about to take one that waits.
        var freeCount = 0
    }

    private let turns = Mutex(Turns())
    // SAFETY: a semaphore is made for any thread; each post stands for an errand that waits.
    private let arrival: UnsafeMutablePointer<sem_t>

    private let startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool

    /// No threads yet; those that will be stay as long as the program.
    ///
    /// - Parameter startThread: Has work done by a new thread, and says whether there is one.
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

    /// Has an errand done at once; by the caller where there is no thread.
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

    /// Does errands for good, the first of them this one.
    private func work(_ first: Errand) {
        var errand = first
        while true {
            errand.perform()
            turns.withLock { $0.freeCount += 1 }
            // After that: who waits for it and sends the next finds this thread free.
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
