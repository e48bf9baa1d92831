internal import Glibc
public import Processing
internal import Synchronization
internal import Threads

/// The thread that writes the takes of all recorders that play live.
///
/// It comes round fifty times a second by itself, so that the audio thread wakes nobody. It runs while there are recorders.
public final class DiskThread: Sendable {
    private let state = Mutex(State())
    /// What recorders that are gone have still to tell.
    private let farewells = IncidentLog()

    private struct State {
        var writers: [TakeWriter] = []
        var isRunning = false
    }

    /// A thread that starts with the first recorder.
    public init() {}

    /// Ends all takes, also those of recorders that still play, as where a server holds them, and waits until all are whole.
    ///
    /// - Parameter seconds: How long at most; a disk may hang.
    /// - Returns: Whether nothing is left.
    @discardableResult
    public func finish(withinSeconds seconds: Double) -> Bool {
        state.withLock { state in
            for writer in state.writers { writer.isLeft.store(true, ordering: .releasing) }
        }
        var left = Int(seconds * 200)
        while state.withLock({ !$0.writers.isEmpty }) {
            guard left > 0 else { return false }
            usleep(5000)
            left -= 1
        }
        return true
    }

    /// The oldest that was not yet read of what befell takes of recorders that are gone.
    public func nextIncident() -> Incident? { farewells.next() }

    /// Ends the take of a recorder that is gone, and keeps what there is to tell of it.
    func farewell(_ writer: TakeWriter) {
        writer.end()
        while let incident = writer.incidents.next() { farewells.add(incident) }
    }

    /// Writes what this recorder records from here on.
    func add(_ writer: TakeWriter) {
        let starts = state.withLock { state in
            state.writers.append(writer)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts, !OwnThread.start(name: "takes", { self.writeUntilNobodyRecords() }) {
            // Without a thread the ring fills, and the recorder tells of lost frames.
            state.withLock { $0.isRunning = false }
        }
    }

    // MARK: The thread

    /// The thread's life.
    private func writeUntilNobodyRecords() {
        // A file that is as long as files may be is told by the call that writes it, and ends nothing.
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        while let writers = present() {
            for writer in writers {
                let isLeft = writer.isLeft.load(ordering: .acquiring)
                isLeft ? end(writer) : writer.writeAll()
            }
            usleep(20_000)
        }
    }

    /// Those there are; nil where the thread is to end.
    private func present() -> [TakeWriter]? {
        state.withLock { state in
            if state.writers.isEmpty { state.isRunning = false }
            return state.writers.isEmpty ? nil : state.writers
        }
    }

    private func end(_ writer: TakeWriter) {
        farewell(writer)
        state.withLock { $0.writers.removeAll { $0 === writer } }
    }
}
