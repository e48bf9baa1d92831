internal import Glibc

/// A file that grows at its end, and whose beginning is brought up to date.
///
/// What was written is the kernel's at once: the end of the program does not take it back.
package final class GrowingFile {
    package let path: String
    /// How many bytes it has.
    package private(set) var byteCount = 0
    private var descriptor: Int32

    /// Makes a file; one that is there stays as it is.
    ///
    /// - Throws: `TakeFault` where it can't be made; nil is returned where there is one of this name.
    package static func make(_ path: String) throws(TakeFault) -> GrowingFile? {
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

    /// Writes bytes behind the last (`pwrite`).
    ///
    /// - Throws: `TakeFault` where not all could be written; then `byteCount` stays as it was.
    func append(_ bytes: UnsafeRawPointer, _ count: Int) throws(TakeFault) {
        try put(bytes, count, at: byteCount)
        byteCount += count
    }

    /// Writes bytes over others.
    ///
    /// - Throws: `TakeFault` where not all could be written.
    func patch(_ bytes: [UInt8], at place: Int) throws(TakeFault) {
        try put(bytes, bytes.count, at: place)
    }

    /// Adds zeros, which cost no room on the disk.
    ///
    /// - Throws: `TakeFault` where the file may not become that long.
    func appendHole(_ count: Int) throws(TakeFault) {
        guard ftruncate(descriptor, byteCount + count) == 0 else { throw .system() }
        byteCount += count
    }

    /// Takes off what is behind a length, also what a write that failed has left there.
    func cut(to count: Int) {
        _ = ftruncate(descriptor, count)
        byteCount = min(byteCount, count)
    }

    func close() {
        guard descriptor >= 0 else { return }
        Glibc.close(descriptor)
        descriptor = -1
    }

    /// Takes the file away.
    func remove() { unlink(path) }

    private func put(
        _ bytes: UnsafeRawPointer, _ count: Int, at place: Int
    ) throws(TakeFault) {
        var done = 0
        while done < count {
            let written = pwrite(descriptor, bytes + done, count - done, place + done)
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw .system() }
            done += written
        }
    }
}
