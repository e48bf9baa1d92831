public import Show
internal import Threads

/// Open Sound Control over UDP for a show, on a thread of its own.
///
/// Everything about it is bounded: requests that wait, listeners, the length of datagrams and of answers.
public final class OSCServer: Sendable {
    /// The port that is used where none is named.
    public static let usualPort: UInt16 = 9000

    /// Where it listens.
    public let endpoint: Endpoint
    private let inbox = OSCInbox()
    private let thread: OwnThread

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - wished: Where; port 0 is any that is free.
    ///   - token: What has to be said first from other machines; nil keeps them out.
    ///   - desk: The show. Its notices have to be handed to `hear`.
    /// - Throws: `SocketFault` where the port is taken.
    public init(at wished: Endpoint, token: String? = nil, desk: any Desk) throws(SocketFault) {
        let socket = try DatagramSocket(wished)
        endpoint = socket.endpoint
        let work: @Sendable () -> Void = { [inbox] in
            OSCLoop(socket, token: token, desk: desk, inbox: inbox).run()
        }
        guard let thread = OwnThread(name: "osc", work) else {
            throw SocketFault(wished, reason: "the system has no thread left")
        }
        self.thread = thread
    }

    deinit {
        inbox.end()
        thread.join()
    }

    /// Passes on a notice to all who have subscribed; returns at once.
    public func hear(_ notice: Notice) { inbox.put(notice) }
}
