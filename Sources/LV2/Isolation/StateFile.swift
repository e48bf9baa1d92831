internal import Glibc

/// Where the text of a state lies between a plugin's process and ours: in the shared memory's file, behind the memory.
///
/// It is read and written as a file, so that it takes room only once there is a state, and no stray pointer gets there.
struct StateFile {
    /// The longest text.
    static let mostBytes = 64 << 20

    let file: Int32
    /// Where the memory ends.
    let offset: Int

    /// Writes a text; false where it is too long or there is no room for it.
    func write(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count <= Self.mostBytes else { return false }
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

    /// Reads a text of so many bytes; nil where it is not there.
    func read(byteCount: Int) -> String? {
        guard byteCount <= Self.mostBytes else { return nil }
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
