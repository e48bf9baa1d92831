internal import Glibc

/// The identity of a file, independent of the path that leads to it.
public struct FileIdentity: Hashable {
    private let device: dev_t
    private let number: ino_t

    /// Identifies the file at a path; `nil` if it does not exist or is not a regular file.
    public init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        device = status.st_dev
        number = status.st_ino
    }
}
