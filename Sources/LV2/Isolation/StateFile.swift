internal import Glibc

/// The text of a state between a plugin's process and the host, in the shared memory's file.
///
/// The text follows the mapped memory in the file, and is read and written as a file. It therefore
/// uses no pages until there is a state, and no stray pointer can reach it.
struct StateFile {
    /// The maximum length of the text, in bytes.
    static let maximumBytes = 64 << 20

    let file: Int32
    /// The end of the mapped memory, in bytes.
    let offset: Int

    /// Writes a text; returns `false` if it is too long or there is no room for it.
    func write(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count <= Self.maximumBytes else { return false }
            var done = 0
            while done < bytes.count {
                let count = pwrite(
                    file, bytes.baseAddress.map { $0 + done }, bytes.count - done,
                    off_t(offset + done))
                if count <= 0 { return false }
                done += count
            }
            return true
        }
    }

    /// Reads a text of a given length; `nil` if it is not complete.
    func read(byteCount: Int) -> String? {
        guard byteCount <= Self.maximumBytes else { return nil }
        var done = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { bytes, initialized in
            while done < byteCount {
                let count = pread(
                    file, bytes.baseAddress.map { $0 + done }, byteCount - done,
                    off_t(offset + done))
                if count <= 0 { break }
                done += count
            }
            initialized = done
        }
        return done == byteCount ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
