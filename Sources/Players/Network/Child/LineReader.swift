internal import Glibc

/// Reads lines of limited length from a pipe.
struct LineReader {
    private var line: [UInt8] = []
    private static let longestBytes = 2048

    /// Reads the available bytes.
    ///
    /// - Parameters:
    ///   - descriptor: The end of the pipe; it must not block.
    ///   - handle: Receives each complete line.
    /// - Returns: `false` once the other end is closed.
    mutating func read(from descriptor: Int32, _ handle: (String) -> Void) -> Bool {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4096) { bytes in
            while true {
                let count = Glibc.read(descriptor, bytes.baseAddress, bytes.count)
                if count == 0 { return false }
                if count < 0 { return errno == EAGAIN || errno == EINTR }
                for byte in bytes[..<count] { add(byte, handle) }
            }
        }
    }

    private mutating func add(_ byte: UInt8, _ handle: (String) -> Void) {
        guard byte == 10 else {
            if line.count < Self.longestBytes { line.append(byte) }
            return
        }
        handle(StreamTitle.text(line))
        line.removeAll(keepingCapacity: true)
    }
}
