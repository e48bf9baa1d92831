internal import CJack
internal import Engine
internal import Glibc

/// The threads of an engine's workers, with a real-time priority just below that of the client's
/// audio thread.
///
/// They end with this object. Without real-time scheduling, no thread starts: a worker with the
/// scheduling of other threads would delay the callback.
final class WorkerThreads {
    private final class Work {
        let worker: EngineWorker
        init(_ worker: EngineWorker) { self.worker = worker }
    }

    private let engine: Engine
    private var threads: [(jack_native_thread_t, Work)] = []

    /// Starts a thread for each worker of an engine.
    ///
    /// If JACK cannot create a thread, the callback does its work.
    init(_ engine: Engine, client: JackClient) {
        self.engine = engine
        guard let priority = client.realtimePriority, priority > 1 else { return }
        engine.beginWorkers()
        for worker in engine.workers {
            // SAFETY: the work lives until the thread has been joined.
            let work = Work(worker)
            var thread = jack_native_thread_t()
            let status = jack_client_create_thread(
                client.handle, &thread, priority - 1, 1,
                { argument in
                    guard let argument else { return nil }
                    Unmanaged<Work>.fromOpaque(argument).takeUnretainedValue().worker.run()
                    return nil
                }, Unmanaged.passUnretained(work).toOpaque())
            if status == 0 { threads.append((thread, work)) }
        }
        // PipeWire's library also succeeds if the system refuses the priority.
        if !threads.allSatisfy({ Self.isRealtime($0.0) }) { end() }
    }

    /// Whether the engine's workers have threads, or the engine has no workers.
    var areRunning: Bool { engine.workers.isEmpty || !threads.isEmpty }

    private static func isRealtime(_ thread: jack_native_thread_t) -> Bool {
        var policy: Int32 = 0
        var parameters = sched_param()
        return pthread_getschedparam(thread, &policy, &parameters) == 0 && policy != SCHED_OTHER
    }

    private func end() {
        engine.endWorkers()
        for (thread, _) in threads { pthread_join(thread, nil) }
        threads = []
    }

    deinit { end() }
}
