internal import Glibc

/// A file that grows at its end and whose header is updated.
///
/// Written data goes to the kernel immediately, so it survives the end of the process.
package final class GrowingFile {
    package let path: String
    /// The length of the file in bytes.
    package private(set) var byteCount = 0
    private var descriptor: Int32

    /// Creates a file; returns `nil` if a file with this name exists, which stays unchanged.
    ///
    /// - Throws: `TakeError` if the file cannot be created.
    package static func make(_ path: String) throws(TakeError) -> GrowingFile? {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        if descriptor < 0, errno == EEXIST { return nil }
        guard descriptor >= 0 else { throw .system() }
        return GrowingFile(path: path, descriptor: descriptor)
    }

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close() }

    /// Appends bytes (`pwrite`).
    ///
    /// - Throws: `TakeError` if not all bytes could be written; `byteCount` then stays unchanged.
    func append(_ bytes: UnsafeRawPointer, _ count: Int) throws(TakeError) {
        try put(bytes, count, at: byteCount)
        byteCount += count
    }

    /// Overwrites bytes.
    ///
    /// - Throws: `TakeError` if not all bytes could be written.
    func patch(_ bytes: [UInt8], at offset: Int) throws(TakeError) {
        try put(bytes, bytes.count, at: offset)
    }

    /// Appends zeros that use no space on the disk.
    ///
    /// - Throws: `TakeError` if the file cannot become that long.
    func appendHole(_ count: Int) throws(TakeError) {
        guard ftruncate(descriptor, byteCount + count) == 0 else { throw .system() }
        byteCount += count
    }

    /// Cuts the file to a length, which also removes the rest of a failed write.
    func cut(to count: Int) {
        _ = ftruncate(descriptor, count)
        byteCount = min(byteCount, count)
    }

    /// The space on the disk that is free for users, in bytes; `nil` if it is not known.
    var freeBytes: Int? {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0, status.f_blocks > 0 else { return nil }
        let (bytes, overflows) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int(clamping: status.f_frsize))
        return overflows ? .max : bytes
    }

    func close() {
        guard descriptor >= 0 else { return }
        Glibc.close(descriptor)
        descriptor = -1
    }

    /// Deletes the file.
    func remove() { unlink(path) }

    private func put(
        _ bytes: UnsafeRawPointer, _ count: Int, at offset: Int
    ) throws(TakeError) {
        var done = 0
        while done < count {
            let written = pwrite(descriptor, bytes + done, count - done, offset + done)
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw .system() }
            done += written
        }
    }
}
