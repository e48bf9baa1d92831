internal import Glibc

/// Whole files as bytes.
package enum FileBytes {
    /// Returns the content of a regular file; `nil` if it does not exist, is not a regular file, or
    /// is longer than a limit.
    package static func read(_ path: String, limit: Int) -> [UInt8]? {
        // Opening a pipe must not wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        var bytes: [UInt8] = []
        // Most files are short; a buffer for the longest would cost more than reading them.
        let length = min(max(Int(status.st_size), 0), limit) + 1
        bytes.reserveCapacity(length)
        var part = [UInt8](repeating: 0, count: min(length, 1 << 16))
        while bytes.count <= limit {
            let count = Glibc.read(descriptor, &part, part.count)
            guard count > 0 else { return count == 0 ? bytes : nil }
            bytes += part[..<count]
        }
        return nil
    }

    /// Replaces a file atomically.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - bytes: The new content.
    ///   - isPrivate: Whether only the user can read the file, whatever the mask of the process is.
    /// - Returns: Whether the file was replaced.
    package static func replace(
        _ path: String, with bytes: [UInt8], isPrivate: Bool = false
    ) -> Bool {
        let new = "\(path).new"
        // A file that an interrupted write has left may be readable.
        if isPrivate { unlink(new) }
        let descriptor = open(
            new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | (isPrivate ? O_EXCL | O_NOFOLLOW : 0),
            isPrivate ? 0o600 : 0o666)
        guard descriptor >= 0 else { return false }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { break }
            rest = rest.dropFirst(max(0, count))
        }
        let isWhole = rest.isEmpty && fsync(descriptor) == 0
        guard close(descriptor) == 0, isWhole, rename(new, path) == 0 else {
            unlink(new)
            return false
        }
        return true
    }
}
