/// Reads the whole body of a response; the gateway uses it only for playlists.
struct BodyReader {
    /// How the end of the body is recognised.
    private enum Ending {
        case length(Int), chunks, close
    }

    private let ending: Ending
    private var raw: [UInt8]

    /// Prepares to read a body.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - beginning: The bytes of the body that have already arrived.
    init(_ head: HTTPHead, beginning: [UInt8]) {
        raw = beginning
        if head["transfer-encoding"]?.lowercased().contains("chunked") == true {
            ending = .chunks
        } else if let length = head["content-length"].flatMap({ Int($0) }), length >= 0 {
            ending = .length(length)
        } else {
            ending = .close
        }
    }

    /// Reads the body to its end.
    ///
    /// - Parameter next: Returns more bytes, or none at the end of the connection.
    /// - Returns: The body; `nil` if it ends too early or is too long.
    mutating func whole(_ next: () -> [UInt8]) -> [UInt8]? {
        while raw.count <= PlaylistAddresses.longestBytes {
            if let body = complete(isClosed: false) { return body }
            let more = next()
            if more.isEmpty { return complete(isClosed: true) }
            raw += more
        }
        return nil
    }

    private func complete(isClosed: Bool) -> [UInt8]? {
        switch ending {
        case .length(let length): raw.count >= length ? Array(raw.prefix(length)) : nil
        case .close: isClosed ? raw : nil
        case .chunks: Self.joinedChunks(raw)
        }
    }

    /// Joins the chunks of a body; returns `nil` if the last chunk has not arrived.
    private static func joinedChunks(_ bytes: [UInt8]) -> [UInt8]? {
        var body: [UInt8] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 10) {
            let digits = Latin1.text(rest[..<end]).prefix { $0.isHexDigit }
            guard let length = Int(digits, radix: 16), length <= PlaylistAddresses.longestBytes
            else { return nil }
            if length == 0 { return body }
            rest = rest[(end + 1)...]
            guard rest.count >= length else { return nil }
            body += rest.prefix(length)
            rest = rest.dropFirst(length)
            // The chunk ends with a line break.
            if rest.first == 13 { rest = rest.dropFirst() }
            guard rest.first == 10 else { return nil }
            rest = rest.dropFirst()
        }
        return nil
    }
}
