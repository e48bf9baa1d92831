/// Divides a stream of bytes into lines of text.
package struct LineSplitter: Sendable {
    private static let longestLineBytes = 4096

    /// The start of an incomplete line.
    private var rest: [UInt8] = []

    /// Creates a splitter at the start of a line.
    package init() {}

    /// Whether the last line is incomplete.
    package var isMidLine: Bool { !rest.isEmpty }

    /// Adds bytes, and delivers the lines that they complete, without line breaks.
    ///
    /// Empty lines are left out, and lines of more than 4096 bytes are divided.
    package mutating func add(_ bytes: some Sequence<UInt8>, _ deliver: (String) -> Void) {
        for byte in bytes {
            if byte == 0x0A || rest.count == Self.longestLineBytes { end(deliver) }
            if byte != 0x0A { rest.append(byte) }
        }
    }

    /// Delivers the incomplete line, if there is one.
    package mutating func end(_ deliver: (String) -> Void) {
        guard !rest.isEmpty else { return }
        deliver(String(decoding: rest, as: UTF8.self))
        rest.removeAll(keepingCapacity: true)
    }
}
