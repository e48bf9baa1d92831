internal import Glibc
internal import Platform

/// Writes a new file, and replaces an existing one only on request.
enum StarterFile {
    /// Returns whether there is a file, a folder or a link with a path.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Writes a file.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - path: The path.
    ///   - isReplacing: Whether an existing file may be replaced; it is replaced as a whole, or
    ///     stays unchanged after an error.
    /// - Throws: `Failure` if the file exists, is not a regular file, or cannot be written.
    static func write(_ bytes: [UInt8], to path: String, isReplacing: Bool) throws {
        if isReplacing { try requireRegular(path) }
        let draft = isReplacing ? "\(path).\(getpid())" : path
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            if errno == EEXIST { throw existing(path) }
            throw failure(path)
        }
        var isWritten = false
        defer { if !isWritten { unlink(draft) } }
        let isComplete = writeAll(bytes, to: descriptor)
        guard close(descriptor) == 0, isComplete else { throw failure(path) }
        if isReplacing, rename(draft, path) != 0 { throw failure(path) }
        isWritten = true
    }

    /// Throws `Failure` if a file can be neither created nor replaced, before there is a content.
    static func requireWritable(_ path: String) throws {
        try requireRegular(path)
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        guard access(String(folder), W_OK | X_OK) == 0 else { throw failure(path) }
    }

    /// Throws `Failure` if there is something else than a regular file with a path.
    private static func requireRegular(_ path: String) throws {
        var status = stat()
        // A device such as /dev/null would be replaced for the whole system.
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        throw Failure("'\(path)' is not a regular file, so it is not replaced", .failedWrite)
    }

    /// The failure that a file exists.
    static func existing(_ path: String) -> Failure {
        Failure(
            "'\(path)' exists and is not changed; choose another name, or replace it with --force",
            .failedWrite)
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return fsync(descriptor) == 0
    }

    private static func failure(_ path: String) -> Failure {
        Failure("cannot write '\(path)': \(SystemError.last.message)", .failedWrite)
    }
}
