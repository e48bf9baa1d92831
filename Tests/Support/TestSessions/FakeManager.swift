internal import CLiblo
internal import Synchronization

/// A session manager, or another program, based on liblo's own server.
public final class FakeManager {
    /// The error if the system has no free port.
    public struct NoPort: Error {}

    private let server: lo_server
    private let heard = Heard()

    /// The received messages as text: the path, and the printable arguments.
    private final class Heard: Sendable {
        let lines = Mutex<[String]>([])
        let client = Mutex<UInt16>(0)
    }

    /// Listens on a free port.
    ///
    /// - Throws: `NoPort`.
    public init() throws {
        guard let server = lo_server_new(nil, nil) else { throw NoPort() }
        self.server = server
        lo_server_add_method(
            server, nil, nil,
            { path, types, values, count, message, heard in
                guard let path, let types, let heard else { return 0 }
                var words = [String(cString: path)]
                for index in 0..<Int(count) {
                    guard let value = values?[index].map({ UnsafeRawPointer($0) }) else { continue }
                    switch UInt8(bitPattern: types[index]) {
                    case UInt8(ascii: "i"): words.append("\(value.load(as: Int32.self))")
                    case UInt8(ascii: "f"): words.append("\(value.load(as: Float.self))")
                    case UInt8(ascii: "s"):
                        words.append(
                            String(
                                cString: value.assumingMemoryBound(to: CChar.self)))
                    default: words.append("?")
                    }
                }
                let box = Unmanaged<Heard>.fromOpaque(heard).takeUnretainedValue()
                box.lines.withLock { $0.append(words.joined(separator: " ")) }
                if let port = lo_address_get_port(lo_message_get_source(message)) {
                    box.client.withLock { $0 = UInt16(String(cString: port)) ?? 0 }
                }
                return 0
            }, Unmanaged.passUnretained(heard).toOpaque())
    }

    deinit { lo_server_free(server) }

    /// The value of `NSM_URL` for clients of this manager.
    public var url: String { "osc.udp://127.0.0.1:\(lo_server_get_port(server))/" }

    /// Waits for `count` messages, for at most 20 s, and removes and returns them.
    public func receive(_ count: Int) -> [String] {
        for _ in 0..<40 where heard.lines.withLock({ $0.count < count }) {
            lo_server_recv_noblock(server, 500)
        }
        return heard.lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }

    /// Sends all further messages to a port of this machine, which need not have sent any.
    public func turn(to port: UInt16) { heard.client.withLock { $0 = port } }

    /// Sends a message to the client that sent the last message.
    public func say(_ path: String, _ texts: String...) {
        let message = lo_message_new()
        defer { lo_message_free(message) }
        for text in texts { lo_message_add_string(message, text) }
        let address = lo_address_new("127.0.0.1", "\(heard.client.withLock { $0 })")
        defer { lo_address_free(address) }
        lo_send_message_from(address, server, path, message)
    }
}
