internal import Synchronization
internal import Platform

/// Writes the metadata that patchbays show about the ports, without ever blocking the session.
///
/// All servers of a user share one database. A program that is killed while it writes leaves the
/// database locked forever. In that case the ports have no pretty names; everything else works.
struct MetadataWriter {
    private let options: SessionOptions
    /// The name that each pretty name begins with.
    var pipelineName: String
    private var tasks: [BlockingTask] = []
    private var pending = PendingPorts()

    /// The ports that are written next.
    ///
    /// If they change faster than they are written, only the latest ports are written.
    private final class PendingPorts: Sendable {
        private struct State {
            var next: [SignalPorts]?
            var isBeingWritten = false
            var isOver = false
        }

        private let state = Mutex(State())

        /// Replaces the ports.
        ///
        /// - Returns: Whether a new task has to write them.
        func replace(by signals: [SignalPorts]) -> Bool {
            state.withLock { state in
                defer {
                    state.next = signals
                    state.isBeingWritten = true
                }
                return !state.isBeingWritten
            }
        }

        /// Removes and returns the ports; `nil` if all are written, so that the task may end.
        func popNext() -> [SignalPorts]? {
            state.withLock { state in
                let next = state.isOver ? nil : state.next
                state.next = nil
                state.isBeingWritten = next != nil
                return next
            }
        }

        /// Stops the task before the next port.
        func end() { state.withLock { $0.isOver = true } }

        /// Whether the ports still exist.
        var areWanted: Bool { state.withLock { !$0.isOver } }
    }

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - options: Determine whether metadata is written.
    ///   - pipelineName: The name that each pretty name begins with.
    init(_ options: SessionOptions, pipelineName: String) {
        self.options = options
        self.pipelineName = pipelineName
    }

    /// Starts to describe the ports that a connection has now.
    mutating func describe(_ connection: JackConnection) {
        guard options.writesMetadata, pending.replace(by: connection.ports.signals) else { return }
        tasks.removeAll { $0.isDone(withinSeconds: 0) }
        tasks.append(
            BlockingTask { [options, pipelineName, pending] in
                while let signals = pending.popNext() {
                    options.precedesMetadata()
                    JackMetadata(client: connection.client).describe(
                        signals, pipeline: pipelineName
                    ) { pending.areWanted }
                }
            })
    }

    /// Stops writing; jackd removes the metadata together with the ports.
    ///
    /// - Parameters:
    ///   - hasServer: Whether the server still runs. If not, the caller waits for the tasks
    ///     elsewhere.
    ///   - time: The time limit for the database, in ns of the monotonic clock.
    /// - Returns: The tasks that still use the client: it must not be closed before they are done.
    mutating func end(hasServer: Bool, deadline time: UInt64) -> [BlockingTask] {
        let running = tasks
        tasks = []
        pending.end()
        pending = PendingPorts()
        return running.filter { !$0.isDone(untilNanoseconds: hasServer ? time : 0) }
    }
}
