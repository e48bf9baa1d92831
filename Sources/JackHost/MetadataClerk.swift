internal import CJack
internal import Pipelines
internal import Synchronization
internal import Threads

/// Writes what patchbays show of our ports, and takes it back, without ever holding up the session.
///
/// All servers of a user share one database, and who was killed while writing to it leaves it locked for ever: then our
/// ports have no pretty names, and all else goes on.
struct MetadataClerk {
    private let options: SessionOptions
    private let pipelineName: String
    private var stay: Stay?
    /// All that was ever described, also ports that are gone, and those of a server that is.
    private var identities: Set<jack_uuid_t> = []
    private var writing: [Errand] = []
    private var descriptions = Descriptions()

    /// What is to be written next: where ports change faster than that is done, only the last is.
    private final class Descriptions: Sendable {
        private let state = Mutex<(next: [SignalPorts]?, isBeingWritten: Bool)>((nil, false))

        /// Takes the newest in.
        ///
        /// - Returns: Whether somebody has to be sent to write it.
        func take(_ signals: [SignalPorts]) -> Bool {
            state.withLock { state in
                defer { state = (signals, true) }
                return !state.isBeingWritten
            }
        }

        /// What is to be written now; nil where all is, and the writer may go.
        func next() -> [SignalPorts]? {
            state.withLock { state in
                defer { state = (nil, state.next != nil) }
                return state.next
            }
        }
    }

    init(_ options: SessionOptions, pipelineName: String) {
        self.options = options
        self.pipelineName = pipelineName
    }

    /// Begins to describe the ports that a client has now.
    mutating func describe(_ stay: Stay) {
        guard options.writesMetadata else { return }
        self.stay = stay
        let signals = stay.ports.signals
        for port in signals.flatMap(\.ports) { identities.insert(port.identity) }
        guard descriptions.take(signals) else { return }
        writing.removeAll { $0.isDone(withinSeconds: 0) }
        writing.append(
            Errand { [options, pipelineName, descriptions] in
                while let signals = descriptions.next() {
                    options.precedesMetadata()
                    JackMetadata(client: stay.client).describe(signals, pipeline: pipelineName)
                }
            })
    }

    /// Takes back what was described, which a server would keep for ever.
    ///
    /// - Parameters:
    ///   - hasServer: Whether there is still one to be told of it.
    ///   - time: How long the database may take, as a time in ns of the monotonic clock.
    /// - Returns: Who still uses the client: it must not be closed before.
    mutating func end(hasServer: Bool, patientUntil time: UInt64) -> [Errand] {
        guard let stay else { return [] }
        self.stay = nil
        let writers = writing
        writing = []
        descriptions = Descriptions()
        // A server that is gone needs not be told of anything: who waits for the writers does so elsewhere.
        guard hasServer else { return writers.filter { !$0.isDone(withinSeconds: 0) } }
        for (place, errand) in writers.enumerated()
        where !errand.isDone(untilNanoseconds: time) {
            return Array(writers[place...])
        }
        let erasing = Errand { [identities] in
            JackMetadata(client: stay.client).forget(identities)
        }
        return erasing.isDone(untilNanoseconds: time) ? [] : [erasing]
    }
}
