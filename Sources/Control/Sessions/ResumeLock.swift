internal import Glibc

/// The right of one run to write a resume file; other runs of the same file do not have it.
///
/// It ends with the object or with the process, however that ends.
final class ResumeLock {
    private let descriptor: Int32

    /// Locks a resume file; returns `nil` if another run has locked it.
    ///
    /// If the lock file cannot be created, nothing is locked: the write then states the reason.
    init?(_ file: ResumeFile) {
        descriptor = open(file.lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
        close(descriptor)
        return nil
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
