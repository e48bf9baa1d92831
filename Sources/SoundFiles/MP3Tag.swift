internal import Glibc

/// The tag in the first frame of an MP3 file (Xing, LAME) with the length and the frames to skip.
enum MP3Tag {
    /// The bytes to search; every first frame is shorter.
    private static let frameBytes = 4096

    /// Returns whether a file has the tag.
    static func isThere(path: String) -> Bool {
        guard let stream = fopen(path, "re") else { return false }
        defer { fclose(stream) }
        // An ID3v2 tag before the first frame stores its length with seven bits per byte.
        let head = bytes(10, of: stream)
        guard head.count == 10 else { return false }
        let isID3 = head.starts(with: Array("ID3".utf8))
        let length = head[6...].reduce(0) { $0 << 7 | Int($1 & 0x7f) }
        fseek(stream, isID3 ? length + 10 : 0, SEEK_SET)
        let frame = bytes(frameBytes, of: stream)
        return ["Xing", "Info"].contains { frame.contains(Array($0.utf8)) }
    }

    private static func bytes(_ count: Int, of stream: UnsafeMutablePointer<FILE>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = fread(buffer.baseAddress, 1, count, stream)
        }
    }
}
