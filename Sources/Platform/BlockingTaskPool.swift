internal import Synchronization

/// The thread pool for all blocking tasks.
///
/// Free threads are reused, because each thread costs its whole stack if memory is locked. If no
/// thread is free, the pool starts another one.
package final class BlockingTaskPool: Sendable {
    package static let shared = BlockingTaskPool()

    private struct State {
        var waiting: [BlockingTask] = []
        /// Threads that wait for a task or are about to remove a waiting one.
        var freeCount = 0
    }

    private let state = Mutex(State())
    /// Each signal represents a waiting task.
    private let arrival = Semaphore()
    private let startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool

    /// Creates a pool without threads; threads that it starts live as long as the program.
    ///
    /// - Parameter startThread: Runs work on a new thread, and returns whether there is one.
    package init(
        startThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = {
            OwnThread.start(name: "blocking task", $0)
        }
    ) {
        self.startThread = startThread
    }

    /// Starts a task at once; the caller does it if no thread can be started.
    func run(_ task: BlockingTask) {
        let isAssigned = state.withLock { state in
            guard state.freeCount > state.waiting.count else { return false }
            state.waiting.append(task)
            return true
        }
        if isAssigned {
            arrival.signal()
        } else if !startThread({ self.work(task) }) {
            task.perform()
            task.notify()
        }
    }

    /// Does tasks forever, starting with the given one.
    private func work(_ first: BlockingTask) {
        var task = first
        while true {
            task.perform()
            state.withLock { $0.freeCount += 1 }
            // After counting this thread as free, so that a waiting thread that now sends another
            // task finds it.
            task.notify()
            task = next()
        }
    }

    private func next() -> BlockingTask {
        while true {
            arrival.wait()
            let task = state.withLock { state -> BlockingTask? in
                guard !state.waiting.isEmpty else { return nil }
                state.freeCount -= 1
                return state.waiting.removeFirst()
            }
            if let task { return task }
        }
    }
}
