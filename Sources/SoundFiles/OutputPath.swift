internal import Glibc
internal import Platform

/// Checks paths before they are opened for writing.
public enum OutputPath {
    /// Returns why opening a path for writing would block or fail; `nil` if it can be tried.
    ///
    /// Without this check, opening a pipe would block until another process reads from it.
    public static func error(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return "it is a folder; name a file in it"
        case S_IFSOCK: return "it is a socket, not a file"
        case S_IFIFO:
            let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            if descriptor < 0 {
                return errno == ENXIO
                    ? "it is a pipe without a reader; name a file"
                    : SystemError.last.message
            }
            close(descriptor)
            return nil
        default: return nil
        }
    }
}
