internal import NIOCore

/// The sender of a request.
enum Visitor: Equatable {
    /// A program on this machine.
    case local
    /// A paired remote, by its `id`.
    case device(String)
    /// Another machine without a valid key.
    case stranger

    /// The `id` of a paired remote.
    var deviceID: String? { if case .device(let id) = self { id } else { nil } }
}

/// The two ends of a connection.
struct Peer {
    /// The address of the client; `nil` if it is not known.
    let address: IPAddress?
    /// The address of this machine to which the client has connected.
    let connected: IPAddress?

    /// Creates the ends of a channel.
    init(_ channel: any Channel) {
        address = IPAddress(channel.remoteAddress)
        connected = IPAddress(channel.localAddress)
    }

    /// Whether the client runs on this machine; the system drops packets of others that claim this.
    var isLocal: Bool {
        guard let address else { return false }
        return address.isLoopback || address == connected
    }
}
