internal import Glibc

/// Prepares the standard descriptors and the limit of file descriptors.
enum StandardDescriptors {
    /// The default of the system.
    ///
    /// Plugins and libraries that use `select` cannot handle more.
    private static let defaultCount: rlim_t = 1024

    /// Opens standard input, output and error if the program was started with them closed.
    ///
    /// Without this, the next opened file (a take, a socket, JACK's database) would get such a
    /// number, and output of the program or a plugin would be written to it. A closed input reads
    /// as empty, and writing a result to a closed output remains an error.
    static func reserve() {
        // In ascending order, because `open` returns the lowest free number.
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            let mode = descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY
            if open("/dev/null", mode) < 0 { _ = open("/", O_RDONLY | O_DIRECTORY) }
        }
    }

    /// Raises the limit of descriptors to the usual count if it is lower.
    static func allowUsualCount() {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < defaultCount else { return }
        limit.rlim_cur = min(limit.rlim_max, defaultCount)
        setrlimit(resource, &limit)
    }
}
