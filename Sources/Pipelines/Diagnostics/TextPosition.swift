/// A position in a text by line and column, which moves forward.
struct TextPosition {
    /// The line, from 1.
    private(set) var line = 1
    /// The column, from 1, in Unicode scalars.
    private(set) var column = 1
    private var offset = 0

    /// Moves forward to the byte at `target`.
    ///
    /// Lines end with LF, CR or CR LF. Continuation bytes of UTF-8 do not count as columns.
    mutating func advance(to target: Int, in bytes: [UInt8]) {
        while offset < min(target, bytes.count) {
            let byte = bytes[offset]
            offset += 1
            if byte == 0x0A || (byte == 0x0D && !(offset < bytes.count && bytes[offset] == 0x0A)) {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
    }
}
