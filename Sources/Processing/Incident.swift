internal import Synchronization

/// An event in the life of a node that the control side reports.
public enum Incident: Sendable, Equatable {
    /// The node's process ended or hangs, with the reason; the node passes its dry signal until the
    /// process is back.
    case lost(reason: String)
    /// The node's process did not deliver its sound in time; the node passes its dry signal until
    /// it does.
    case away
    /// The node's process was restarted and runs.
    case back
    /// The node's process is not restarted, with the reason; the node passes its dry signal from
    /// now on.
    case abandoned(reason: String)
    /// The state of the node's process cannot be saved, with the reason; after a restart it would
    /// have the state in the file.
    case stateNotKept(reason: String)
    /// The sandbox of the node's process refused a system call.
    case callRefused(name: String)
    /// The sandbox of the node's process refused an access to a file, with its absolute path.
    case fileRefused(access: FileAccess, path: String)
    /// The sandbox of the node's process is incomplete on this machine, with the missing part.
    case sandboxIncomplete(reason: String)
    /// The node's runs repeatedly took too long, the last one this many periods; the node passes its
    /// dry signal from now on.
    case stopped(periods: Double)
    /// The node wrote beyond the end of a buffer.
    case wroteBeyond
    /// The node's run has not returned for this many seconds, and blocks the audio thread.
    case stuck(seconds: Double)
    /// A stream's title changed.
    case title(String)
    /// A source waits for data; the number is the buffered share of the data that it needs to
    /// continue, from 0 through 1.
    case buffering(Double)
    /// A source continues to play.
    case playing
    /// A source lost its connection, with the reason; this is the number of the attempt to
    /// reconnect.
    case reconnecting(attempt: Int, reason: String)
    /// A source reached its end.
    case ended
    /// A source has become silent, with the reason.
    case silenced(reason: String)
    /// A disk was too slow: this many frames were silent.
    case starved(frames: Int)
    /// A take began in this file.
    case takeStarted(path: String)
    /// A take is complete, with its duration and its peak in dB.
    case takeFinished(path: String, seconds: Double, peak: Double)
    /// A take that has ended contains samples beyond full scale, which its format clips: their
    /// number over all channels, the time of the first one in seconds from the start of the take,
    /// and the take's peak in dB.
    case takeClipped(path: String, samples: Int, firstSeconds: Double, peak: Double)
    /// A take ended early, with the reason and the readable duration; 0 if there is no file.
    case takeStopped(path: String, reason: String, readableSeconds: Double)
    /// No new take begins until the limit allows it, with the reason; a take that is being recorded
    /// continues.
    case takeRefused(reason: String)
}

extension Incident {
    /// Whether it is about a take, which is a file that remains after its node.
    public var concernsTake: Bool {
        switch self {
        case .takeStarted, .takeFinished, .takeClipped, .takeStopped, .takeRefused: true
        default: false
        }
    }
}

/// An incident with its node, which may already have been removed.
public struct NodeIncident: Sendable, Equatable {
    /// The id of the node.
    public var node: String
    /// The name of the node's type for people.
    public var label: String
    /// The incident.
    public var incident: Incident

    /// Creates an incident of a node.
    public init(node: String, label: String, _ incident: Incident) {
        self.node = node
        self.label = label
        self.incident = incident
    }
}

/// A kind of access to a file.
public enum FileAccess: String, Sendable {
    case read
    /// Writes to a file, creates it, or creates a folder or a link.
    case write
    case remove
    /// Moves a file or a folder to the path.
    case move

    /// The verb before the path, for messages: "move a file to".
    public var verb: String { self == .move ? "move a file to" : rawValue }
}

/// A queue of incidents from the threads that detect them to the thread that reports them.
public final class IncidentLog: Sendable {
    private let incidents = Mutex<[Incident]>([])
    private let source: @Sendable () -> Incident?

    /// Creates an empty log.
    ///
    /// - Parameter source: Returns each incident once that was detected on the audio thread, where
    ///   adding is not possible.
    public init(_ source: @escaping @Sendable () -> Incident? = { nil }) { self.source = source }

    /// Adds an incident.
    public func add(_ incident: Incident) { incidents.withLock { $0.append(incident) } }

    /// Removes and returns the oldest incident.
    public func next() -> Incident? {
        incidents.withLock { $0.isEmpty ? nil : $0.removeFirst() } ?? source()
    }
}
