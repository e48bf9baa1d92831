internal import Glibc

/// Which file a path leads to, however it is written.
public struct FileIdentity: Hashable {
    private let device: dev_t
    private let number: ino_t

    /// The file at a path; nil where there is none, or it is no regular file.
    public init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        device = status.st_dev
        number = status.st_ino
    }
}
