extension OSCPacket {
    /// The longest message for the access control, in bytes.
    private static let longestAccessMessage = OSCToken.mostBytes + 24
    /// The most messages for the access control at the start of a datagram.
    private static let mostAccessMessages = 3
    private static let accessPaths = ["/token", "/challenge"].map { Array($0.utf8) + [0] }

    /// Returns whether a datagram begins with a message for the access control, judged by its path.
    package static func isForAccessControl(_ bytes: ArraySlice<UInt8>) -> Bool {
        let isBundle = bytes.starts(with: bundleStart.prefix(8))
        // The first message of a bundle follows the bundle's time and the message's length.
        let message = isBundle ? bytes.dropFirst(bundleStart.count + 4) : bytes
        return accessPaths.contains(where: message.starts(with:))
    }

    /// Returns the messages for the access control at the start of a datagram; the rest is not read.
    ///
    /// - Parameter bytes: A datagram from a sender without access.
    /// - Returns: Up to three messages; none if the datagram begins with another message.
    package static func accessMessages(in bytes: ArraySlice<UInt8>) -> [OSCMessage] {
        guard bytes.starts(with: bundleStart.prefix(8)) else {
            return accessMessage(bytes).map { [$0] } ?? []
        }
        var messages: [OSCMessage] = []
        var rest = bytes.dropFirst(bundleStart.count)
        while messages.count < mostAccessMessages, rest.count >= 4 {
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
