internal import CRealtime
internal import SessionCore
internal import Platform

/// The ports of the server with their metadata, as watchers know them.
///
/// The session's thread uses it. Times are in ns of the monotonic clock.
struct PortDirectory {
    /// The time that a client may need to register or describe its other ports.
    private static let settlingNanoseconds: UInt64 = 30_000_000

    private let reader: MetadataReader
    /// The ports in the last report; `nil` before the first one.
    private var reported: [ServerPort]?
    /// When the ports must be read again; `nil` if nothing has changed.
    private var nextDue: UInt64?

    /// Creates a directory.
    ///
    /// - Parameters:
    ///   - options: Determine whether metadata is read.
    ///   - mailbox: Receives a message when metadata has been read.
    init(_ options: SessionOptions, mailbox: Mailbox<SessionMessage>) {
        reader = MetadataReader(
            isOn: options.writesMetadata, precede: options.precedesMetadata
        ) { mailbox.post(.metadataRead) }
    }

    /// The time to read the ports again.
    var due: UInt64 { nextDue ?? .max }

    /// Notes that ports may have changed.
    mutating func noteChange() { nextDue = nextDue ?? rt_nanoseconds() + Self.settlingNanoseconds }

    /// Notes that another program has changed metadata.
    mutating func noteMetadata() {
        reader.forget()
        noteChange()
    }

    /// Forgets everything about a server that the session leaves.
    ///
    /// - Returns: The task that still uses the client; `nil` without one.
    mutating func leave() -> BlockingTask? {
        reported = nil
        nextDue = nil
        return reader.end()
    }

    /// Returns the ports of the server with the metadata that is known.
    func ports(_ client: JackClient) -> [ServerPort] {
        client.serverPorts().map { port in
            var port = port
            port.metadata = reader.metadata(of: port.name)
            return port
        }
    }

    /// Reads the ports, and has unknown metadata read.
    ///
    /// - Returns: The ports; `nil` if nothing differs from the last report.
    mutating func report(_ client: JackClient) -> [ServerPort]? {
        nextDue = nil
        let ports = ports(client)
        reader.read(ports.map(\.name), client)
        defer { reported = ports }
        return ports == reported ? nil : ports
    }
}
