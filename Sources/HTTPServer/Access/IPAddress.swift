internal import Glibc

/// An IPv4 or IPv6 address.
struct IPAddress: Equatable {
    private let bytes: [UInt8]

    /// Parses an address without brackets, zone and port; `nil` if the text is not an address.
    init?(_ text: String) {
        // 4 bytes for IPv4, 16 for IPv6.
        var buffer = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &buffer) == 1 {
            bytes = Array(buffer.prefix(4))
        } else if inet_pton(AF_INET6, text, &buffer) == 1 {
            bytes = buffer
        } else {
            return nil
        }
    }

    /// Whether only programs on this machine can reach the address.
    var isLoopback: Bool {
        if bytes.count == 4 { return bytes[0] == 127 }
        return bytes == Array(repeating: 0, count: 15) + [1]
    }
}
