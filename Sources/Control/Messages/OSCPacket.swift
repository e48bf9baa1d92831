/// The content of a datagram: a message, or a bundle of messages and bundles.
package enum OSCPacket {
    /// The longest datagram that the server reads, in bytes.
    package static let maximumBytes = 8192
    /// The longest datagram with several messages, in bytes: one Ethernet frame.
    package static let defaultBytes = 1400
    /// The deepest nesting of bundles.
    private static let maximumDepth = 4

    /// "#bundle", and the time that means "now".
    static let bundleStart = Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1]

    /// Returns all messages in order; `nil` if any bytes are not OSC.
    ///
    /// The times of bundles are ignored.
    package static func messages(in bytes: ArraySlice<UInt8>, depth: Int = 0) -> [OSCMessage]? {
        guard bytes.starts(with: bundleStart.prefix(8)) else {
            return OSCMessage(bytes: bytes).map { [$0] }
        }
        guard depth < maximumDepth, bytes.count >= bundleStart.count else { return nil }
        var rest = bytes.dropFirst(bundleStart.count)
        var messages: [OSCMessage] = []
        while !rest.isEmpty {
            guard rest.count >= 4 else { return nil }
            let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard size > 0, size <= rest.count,
                let inner = Self.messages(in: rest.prefix(size), depth: depth + 1)
            else { return nil }
            messages += inner
            rest = rest.dropFirst(size)
        }
        return messages
    }

    /// Returns the messages in as few datagrams as possible; a single message needs no bundle.
    package static func packets(of messages: [OSCMessage]) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var parts: [[UInt8]] = []
        var size = bundleStart.count
        for part in messages.map(\.bytes) where !part.isEmpty {
            if size + 4 + part.count > defaultBytes, !parts.isEmpty {
                packets.append(packet(of: parts))
                (parts, size) = ([], bundleStart.count)
            }
            parts.append(part)
            size += 4 + part.count
        }
        return parts.isEmpty ? packets : packets + [packet(of: parts)]
    }

    private static func packet(of parts: [[UInt8]]) -> [UInt8] {
        if parts.count == 1 { return parts[0] }
        return parts.reduce(into: bundleStart) { packet, part in
            packet += withUnsafeBytes(of: UInt32(part.count).bigEndian) { Array($0) }
            packet += part
        }
    }
}

extension OSCPacket {
    /// The longest message to the access control, in bytes.
    private static let longestAccessMessage = OSCToken.maximumBytes + 24
    /// The maximum number of messages to the access control at the start of a datagram.
    private static let maximumAccessMessages = 3
    private static let accessPaths = ["/token", "/challenge"].map { Array($0.utf8) + [0] }

    /// Returns whether a datagram begins with a message to the access control, judged by its path.
    package static func isForAccessControl(_ bytes: ArraySlice<UInt8>) -> Bool {
        let isBundle = bytes.starts(with: bundleStart.prefix(8))
        // The first message of a bundle follows the bundle's time and the message's length.
        let message = isBundle ? bytes.dropFirst(bundleStart.count + 4) : bytes
        return accessPaths.contains(where: message.starts(with:))
    }

    /// Returns the messages to the access control at the start of a datagram; ignores the rest.
    ///
    /// - Parameter bytes: A datagram from a sender without access.
    /// - Returns: Up to three messages; none if the datagram begins with another message.
    package static func accessMessages(in bytes: ArraySlice<UInt8>) -> [OSCMessage] {
        guard bytes.starts(with: bundleStart.prefix(8)) else {
            return accessMessage(bytes).map { [$0] } ?? []
        }
        var messages: [OSCMessage] = []
        var rest = bytes.dropFirst(bundleStart.count)
        while messages.count < maximumAccessMessages, rest.count >= 4 {
            let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard size > 0, size <= rest.count, let message = accessMessage(rest.prefix(size))
            else {
                break
            }
            messages.append(message)
            rest = rest.dropFirst(size)
        }
        return messages
    }

    private static func accessMessage(_ bytes: ArraySlice<UInt8>) -> OSCMessage? {
        guard bytes.count <= longestAccessMessage, accessPaths.contains(where: bytes.starts(with:))
        else { return nil }
        return OSCMessage(bytes: bytes)
    }
}
