internal import Engine
internal import Platform

/// The threads of an engine's workers, with the scheduling of other threads.
///
/// They end with this object.
final class WorkerThreads {
    private let engine: Engine
    private let threads: [OwnThread]

    /// Starts a thread for each worker of an engine.
    ///
    /// If the system cannot create a thread, the callback does its work.
    init(_ engine: Engine) {
        self.engine = engine
        threads = engine.workers.compactMap { worker in
            OwnThread(name: "core") { worker.run() }
        }
    }

    deinit {
        engine.endWorkers()
        for thread in threads { thread.join() }
    }
}
