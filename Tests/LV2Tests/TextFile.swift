import Glibc

/// Reads small text files.
enum TextFile {
    /// Returns the whole text; empty if the file cannot be read.
    static func text(of path: String) -> String {
        guard let stream = fopen(path, "r") else { return "" }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        while case let byte = getc(stream), byte != EOF { bytes.append(UInt8(byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
