internal import Glibc

/// Checks how many file descriptors the process may still open.
enum FreeDescriptors {
    /// The maximum number of descriptors that a JACK client needs: sockets, semaphores, shared
    /// memory, and the files of the metadata.
    private static let clientCount = 16

    /// Returns whether there are too few for a JACK client, because of the limit of the process or
    /// the system.
    ///
    /// In that case libjack (1.9.21) reports that no server runs, or crashes.
    static func areTooFew() -> Bool {
        var found: [Int32] = []
        defer { for descriptor in found { close(descriptor) } }
        while found.count < clientCount {
            let descriptor = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { return errno == EMFILE || errno == ENFILE }
            found.append(descriptor)
        }
        return false
    }
}
