package import Pipelines

/// A WebSocket to the server of the page.
public final class PageVisitor {
    /// The connection.
    public let visitor: Visitor
    /// The highest revision that has arrived.
    public private(set) var revision = 0
    /// The values that have arrived, by address.
    package private(set) var values: [String: JSONElement] = [:]
    /// The reports that have arrived, by address.
    package private(set) var reports: [String: JSONElement] = [:]
    /// The parts that have arrived, by name.
    package private(set) var parts: [String: JSONElement] = [:]
    /// The number of messages with values that have arrived.
    public private(set) var changeCount = 0
    /// Whether the revisions of the messages have only grown.
    public private(set) var areRevisionsOrdered = true
    /// The number of events that the server has dropped, because they arrived too slowly.
    public private(set) var droppedCount = 0
    /// The code with which the server closed the WebSocket; `nil` before that, 0 without a code.
    public private(set) var closeCode: Int?
    private var lastID = 0

    /// A frame.
    public struct Frame {
        /// The kind: 1 for text, 2 for binary, 8 for the end, 9 and 10 for ping and pong.
        public var opcode: UInt8
        /// The content.
        public var payload: [UInt8]
    }

    /// Opens a WebSocket; `nil` if the server refuses it.
    ///
    /// - Parameters:
    ///   - port: The port.
    ///   - fields: Additional fields of the header.
    ///   - source: The last number of the own address, 127.0.0.N.
    ///   - receiveBytes: The size of the system's buffer for arriving bytes.
    public init?(
        port: UInt16, _ fields: [(String, String)] = [], from source: UInt8 = 1,
        receiveBytes: Int32? = nil
    ) {
        guard let visitor = Visitor(port: port, from: source, receiveBytes: receiveBytes) else {
            return nil
        }
        self.visitor = visitor
        let upgrade = [
            ("Upgrade", "websocket"), ("Connection", "Upgrade"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="), ("Sec-WebSocket-Version", "13"),
        ]
        let answer = visitor.ask(
            "GET", "/api/live", upgrade + fields, host: "127.0.0.1:\(port)")
        // The example of RFC 6455.
        guard answer?.status == 101,
            answer?.fields["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
        else { return nil }
    }

    // MARK: Frames

    /// Sends a frame with a mask of zeros.
    @discardableResult
    public func send(_ opcode: UInt8, _ payload: [UInt8], isLast: Bool = true) -> Bool {
        visitor.send(Self.bytes(opcode, payload, isLast: isLast))
    }

    /// Returns the bytes of a frame with a mask of zeros.
    public static func bytes(_ opcode: UInt8, _ payload: [UInt8], isLast: Bool = true) -> [UInt8] {
        var bytes = [(isLast ? 0x80 : 0) | opcode]
        switch payload.count {
        case ..<126: bytes.append(0x80 | UInt8(payload.count))
        case ..<65_536:
            bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        default:
            bytes.append(0x80 | 127)
            bytes += (0..<8).reversed().map { UInt8(payload.count >> ($0 * 8) & 255) }
        }
        return bytes + [0, 0, 0, 0] + payload
    }

    /// Returns the next frame; `nil` if none arrives.
    public func nextFrame() -> Frame? {
        guard let head = visitor.next(2) else { return nil }
        var size = Int(head[1] & 127)
        if size >= 126 {
            guard let long = visitor.next(size == 126 ? 2 : 8) else { return nil }
            size = long.reduce(0) { $0 << 8 | Int($1) }
        }
        guard let payload = visitor.next(size) else { return nil }
        if head[0] & 15 == 8 {
            closeCode = payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : 0
        }
        return Frame(opcode: head[0] & 15, payload: payload)
    }

    /// Returns the code with which the server closes the WebSocket; `nil` if it does not.
    public func waitForClose() -> Int? {
        while closeCode == nil { guard nextFrame() != nil else { return nil } }
        return closeCode
    }

    // MARK: Messages

    /// Returns the next text message; `nil` if none arrives.
    package func nextMessage() -> JSONElement? {
        while let frame = nextFrame() {
            guard frame.opcode == 1 else { continue }
            let errors = ErrorList()
            let root = Document(parsing: frame.payload, errors: errors).root
            guard errors.isEmpty else { return nil }
            follow(root)
            return root
        }
        return nil
    }

    /// Returns the next binary message; `nil` if none arrives.
    public func nextBinary() -> [UInt8]? {
        while let frame = nextFrame() { if frame.opcode == 2 { return frame.payload } }
        return nil
    }

    private func follow(_ message: JSONElement) {
        let newRevision = message["revision"]?.number.map { Int($0) } ?? revision
        if newRevision < revision { areRevisionsOrdered = false }
        revision = max(revision, newRevision)
        droppedCount += message["dropped"]?.number.map { Int($0) } ?? 0
        switch message["type"]?.string {
        case "snapshot":
            (values, reports, parts) = ([:], [:], [:])
            for member in message.members { parts[member.key] = member.value }
            adopt(message)
        case "values":
            changeCount += 1
            adopt(message)
        case "part": parts[message["name"]?.string ?? ""] = message["value"]
        default: break
        }
    }

    private func adopt(_ message: JSONElement) {
        for member in message["values"]?.members ?? [] { values[member.key] = member.value }
        for member in message["reports"]?.members ?? [] { reports[member.key] = member.value }
    }

    /// Returns the next message of a type; drops those before it.
    package func next(_ type: String) -> JSONElement? {
        next { $0["type"]?.string == type }
    }

    /// Returns the next message that meets a condition; drops those before it.
    package func next(_ fits: (JSONElement) -> Bool) -> JSONElement? {
        while let message = nextMessage() { if fits(message) { return message } }
        return nil
    }

    /// Receives messages until a condition holds; `false` if no more arrive before.
    public func waits(_ fits: (PageVisitor) -> Bool) -> Bool {
        while !fits(self) { guard nextMessage() != nil else { return false } }
        return true
    }

    // MARK: Requests

    /// Sends a request, and returns its first answer; `nil` if none arrives.
    ///
    /// - Parameter members: The members of the object, except `id`.
    /// - Returns: The answer.
    package func ask(_ members: String) -> JSONElement? { answer(to: send(members)) }

    /// Sends a request, and returns its number.
    @discardableResult
    public func send(_ members: String) -> Int {
        lastID += 1
        send(1, Array("{\"id\": \(lastID), \(members)}".utf8))
        return lastID
    }

    /// Returns the next answer to a request; `nil` if none arrives.
    package func answer(to id: Int) -> JSONElement? {
        next { $0["type"]?.string == "answer" && $0["id"]?.number == Double(id) }
    }

    /// Sets a value as a page that has seen everything does.
    public func set(_ address: String, _ value: String, revision: Int? = nil) -> String? {
        let seen = revision ?? self.revision
        return ask(
            "\"request\": \"set\", \"address\": \"\(address)\", \"value\": \(value), \"revision\": \(seen)"
        )?["answer"]?.string
    }
}
