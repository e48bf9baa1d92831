package import Engine
internal import Glibc
internal import Platform

/// The threads of an engine's workers.
///
/// They end with this object.
package final class WorkerThreads {
    private let engine: Engine
    private let threads: [OwnThread]

    /// Starts a thread for each worker of an engine.
    ///
    /// If the system cannot create a thread, the callback does its work.
    ///
    /// - Parameters:
    ///   - engine: The engine.
    ///   - priority: A real-time priority, which the system must permit; without one, the threads
    ///     have the scheduling of other threads.
    package init(_ engine: Engine, priority: Int32? = nil) {
        self.engine = engine
        threads = engine.workers.compactMap { worker in
            OwnThread(name: "core") {
                if let priority {
                    var parameters = sched_param(sched_priority: priority)
                    pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
                }
                worker.run()
            }
        }
    }

    deinit {
        engine.endWorkers()
        for thread in threads { thread.join() }
    }
}
