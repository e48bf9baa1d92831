internal import Glibc
public import Processing
internal import Synchronization
internal import Platform

/// The thread that writes the takes of all live recorders.
///
/// It runs fifty times per second, so the audio thread does not need to wake it. It exists only
/// while there are recorders.
public final class DiskThread: Sendable {
    private let state = Mutex(State())
    /// The limit on new takes, per file name.
    let allowance: TakeAllowance

    private struct State {
        var writers: [TakeWriter] = []
        var isRunning = false
        /// The incidents of removed recorders that have not been read yet.
        var retired: [NodeIncident] = []
    }

    /// Creates the thread's state; the thread starts with the first recorder.
    public init() { allowance = TakeAllowance() }

    /// Ends all takes, and waits until the files are complete.
    ///
    /// This includes the takes of recorders that are still active, for example because the server
    /// does not release the client.
    ///
    /// - Parameter seconds: The longest wait, because a disk may hang.
    /// - Returns: Whether all takes are complete.
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

    /// Returns the oldest incident of a removed recorder that has not been returned yet.
    ///
    /// Callable from any thread.
    public func nextIncident() -> NodeIncident? {
        state.withLock { $0.retired.isEmpty ? nil : $0.retired.removeFirst() }
    }

    /// Ends the take of a removed recorder, and keeps its incidents.
    func retire(_ writer: TakeWriter) {
        writer.end()
        while let incident = writer.incidents.next() {
            let found = NodeIncident(
                node: writer.node, label: Recorder.description.label, incident)
            state.withLock { $0.retired.append(found) }
        }
    }

    /// Starts to write the takes of a recorder.
    func add(_ writer: TakeWriter) {
        let starts = state.withLock { state in
            state.writers.append(writer)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts, !OwnThread.start(name: "takes", { self.writeUntilIdle() }) {
            // Without a thread, the ring fills up and the recorder reports lost frames.
            state.withLock { $0.isRunning = false }
        }
    }

    // MARK: Thread

    /// The main function of the thread.
    private func writeUntilIdle() {
        // A write beyond the file size limit must fail with an error, and not terminate the
        // process with a signal.
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        while let writers = currentWriters() {
            for writer in writers {
                let isLeft = writer.isLeft.load(ordering: .acquiring)
                isLeft ? end(writer) : writer.writeAll()
            }
            usleep(20_000)
        }
    }

    /// Returns the current writers; `nil` if the thread should end.
    private func currentWriters() -> [TakeWriter]? {
        state.withLock { state in
            if state.writers.isEmpty { state.isRunning = false }
            return state.writers.isEmpty ? nil : state.writers
        }
    }

    private func end(_ writer: TakeWriter) {
        retire(writer)
        state.withLock { $0.writers.removeAll { $0 === writer } }
    }
}
