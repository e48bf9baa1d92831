public import SessionCore
internal import Platform

/// An Open Sound Control server over UDP for a session, on a separate thread.
///
/// Waiting requests, listeners, and the lengths of datagrams and answers are limited.
public final class OSCServer: Sendable {
    /// The default port.
    public static let defaultPort: UInt16 = 9000

    /// The address of the server.
    public let endpoint: Endpoint
    private let inbox = OSCInbox()
    private let thread: OwnThread

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - requested: The address; port 0 means any free port.
    ///   - token: The token that other machines must send first; `nil` to refuse them.
    ///   - control: The session. Its events must be passed to `receive`.
    ///   - warn: Receives the activity of senders without access, at most once per minute, on the
    ///     server's thread.
    /// - Throws: `SocketError` if the port is taken.
    public convenience init(
        at requested: Endpoint, token: OSCToken? = nil, control: any SessionControl,
        warn: @escaping @Sendable (OSCWarning) -> Void = { _ in }
    ) throws(SocketError) {
        try self.init(at: requested, AccessControl(token: token), control: control, warn: warn)
    }

    /// Starts a server with an access control.
    ///
    /// - Throws: `SocketError` if the port is taken.
    package init(
        at requested: Endpoint, _ access: AccessControl, control: any SessionControl,
        warn: @escaping @Sendable (OSCWarning) -> Void = { _ in }
    ) throws(SocketError) {
        let socket = try DatagramSocket(requested)
        endpoint = socket.endpoint
        let work: @Sendable () -> Void = { [inbox] in
            OSCLoop(socket, access: access, control: control, inbox: inbox, warn: warn).run()
        }
        guard let thread = OwnThread(name: "osc", work) else {
            throw SocketError(requested, reason: "no thread could be started")
        }
        self.thread = thread
    }

    deinit {
        inbox.end()
        thread.join()
    }

    /// Passes an event on to all listeners that have subscribed to it; returns at once.
    public func receive(_ event: SessionEvent) { inbox.put(event) }
}
