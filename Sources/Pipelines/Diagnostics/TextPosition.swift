/// A place in a text by line and column, moved forward over its bytes.
struct TextPosition {
    /// From 1.
    private(set) var line = 1
    /// From 1, in Unicode scalars.
    private(set) var column = 1
    private var offset = 0

    /// Goes on to the byte at `target`, which is not before the present one.
    ///
    /// Lines end with LF, CR or CR LF. A byte that continues a UTF-8 sequence counts for nothing.
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
