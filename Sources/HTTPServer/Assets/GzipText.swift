internal import CZlib

/// Compresses the files of the page.
enum GzipText {
    /// Returns the gzip file with a content; `nil` if zlib has no memory.
    static func compressed(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var stream = z_stream()
        guard gzip_begin(&stream) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let room = deflateBound(&stream, UInt(bytes.count))
        var output = [UInt8](repeating: 0, count: Int(room))
        let status = output.withUnsafeMutableBufferPointer { output in
            // SAFETY: zlib does not change the input, although its interface lacks `const`; both
            // buffers outlive the call.
            stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
            stream.avail_in = UInt32(clamping: bytes.count)
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(clamping: output.count)
            return deflate(&stream, Z_FINISH)
        }
        guard status == Z_STREAM_END else { return nil }
        return Array(output.prefix(Int(stream.total_out)))
    }
}
