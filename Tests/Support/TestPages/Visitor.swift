internal import Glibc

/// A connection to the server of the page, byte by byte, so that tests can send what no browser
/// does.
public final class Visitor {
    private let descriptor: Int32
    private var received: [UInt8] = []
    /// All bytes that have arrived so far.
    public private(set) var receivedCount = 0
    /// Whether the server has closed the connection.
    public private(set) var isClosed = false

    /// Connects to a port of this machine; `nil` if nothing listens there.
    ///
    /// - Parameters:
    ///   - port: The port.
    ///   - source: The last number of the own address, 127.0.0.N.
    ///   - receiveBytes: The size of the system's buffer for arriving bytes; `nil` for the usual one.
    public init?(port: UInt16, from source: UInt8 = 1, receiveBytes: Int32? = nil) {
        guard
            let connected = Self.connected(to: port, from: source, receiveBytes: receiveBytes)
        else {
            return nil
        }
        descriptor = connected
    }

    private static func connected(
        to port: UInt16, from source: UInt8, receiveBytes: Int32?
    ) -> Int32? {
        let descriptor = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        if var receiveBytes {
            let size = socklen_t(MemoryLayout<Int32>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBytes, size)
        }
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        let isBound = source == 1 || with(address(source, 0)) { bind(descriptor, $0, $1) == 0 }
        guard isBound, with(address(1, port), { connect(descriptor, $0, $1) == 0 }) else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func address(_ last: UInt8, _ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = (UInt32(0x7f00_0000) | UInt32(last)).bigEndian
        address.sin_port = port.bigEndian
        return address
    }

    private static func with(
        _ address: sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool
    ) -> Bool {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    deinit { close(descriptor) }

    /// Sends bytes.
    ///
    /// - Returns: Whether the server took them all.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Sends a text.
    @discardableResult
    public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Ends the sending direction.
    public func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Receives more bytes; waits for at most 20 seconds.
    ///
    /// - Returns: Whether some arrived.
    private func receiveMore() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else {
            if count == 0 || errno != EAGAIN { isClosed = true }
            return false
        }
        receivedCount += count
        received += buffer.prefix(count)
        return true
    }

    /// Removes and returns a number of bytes; `nil` if they do not arrive.
    public func next(_ count: Int) -> [UInt8]? {
        while received.count < count { guard receiveMore() else { return nil } }
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }

    /// Removes and returns a line, without its end; `nil` if none arrives.
    public func nextLine() -> String? {
        while true {
            if let end = received.firstIndex(of: 10) {
                let line = received[..<end]
                received.removeFirst(end + 1)
                return String(decoding: line.last == 13 ? line.dropLast() : line, as: UTF8.self)
            }
            guard receiveMore() else { return nil }
        }
    }

    /// Waits until the server closes the connection, for at most 20 seconds after its last byte.
    public func waitsForClose() -> Bool {
        while receiveMore() { received = [] }
        return isClosed
    }
}

/// An answer over HTTP.
public struct PlainAnswer {
    /// The status, such as 200.
    public var status: Int
    /// The fields, with their names in lower case.
    public var fields: [String: String]
    /// The body.
    public var body: [UInt8]

    /// The body as a text.
    public var text: String { String(decoding: body, as: UTF8.self) }
}

extension Visitor {
    /// Sends a request and returns the answer; `nil` if none arrives.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The path.
    ///   - fields: The fields of the header, except `Host` and `Content-Length`.
    ///   - host: The field `Host`.
    ///   - body: The body.
    /// - Returns: The answer.
    public func ask(
        _ method: String, _ target: String, _ fields: [(String, String)] = [], host: String,
        body: String = ""
    ) -> PlainAnswer? {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n"
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        if !body.isEmpty { text += "Content-Length: \(body.utf8.count)\r\n" }
        send(text + "\r\n" + body)
        return answer(hasBody: method != "HEAD")
    }

    /// Returns the next answer; `nil` if none arrives.
    public func answer(hasBody: Bool = true) -> PlainAnswer? {
        guard let first = nextLine() else { return nil }
        let words = first.split(separator: " ")
        guard words.count >= 2, let status = Int(words[1]) else { return nil }
        var fields: [String: String] = [:]
        while let line = nextLine(), !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].dropFirst()) : ""
        }
        let size = hasBody ? fields["content-length"].flatMap { Int($0) } ?? 0 : 0
        guard let body = next(size) else { return nil }
        return PlainAnswer(status: status, fields: fields, body: body)
    }
}
