internal import CRealtime
internal import Glibc

/// A lock shared by all instances of one user: only one of them at a time writes metadata or leaves
/// a JACK server.
///
/// JACK keeps the metadata of all servers of a user in one Berkeley DB, and nothing checks its page
/// locks for deadlocks. A client that leaves reads no messages from jackd, which waits for each
/// reader (see decision 45).
///
/// Linux releases the lock on the file if its holder is killed. The file is never removed:
/// otherwise two instances could hold locks on two files with the same name.
package enum InstanceLock {
    private static let pauseMicroseconds: UInt32 = 5_000

    /// The path of the lock file, in the folder where libjack keeps the metadata.
    package static var path: String { "/dev/shm/stompline-\(geteuid()).lock" }

    /// Waits for the lock, and calls `work` while it holds the lock.
    ///
    /// Do not call it on the session's thread or the audio thread.
    ///
    /// If the file cannot be used, because the folder does not exist or the file belongs to another
    /// user, `work` is called without waiting.
    ///
    /// - Parameters:
    ///   - seconds: The longest wait.
    ///   - path: The lock file.
    ///   - isWanted: Called repeatedly during the wait; `false` ends the wait.
    ///   - work: Called while the lock is held.
    /// - Returns: Whether `work` was called; `false` if the lock was not free in time.
    package static func run(
        withinSeconds seconds: Double, path: String = path,
        while isWanted: () -> Bool = { true }, _ work: () -> Void
    ) -> Bool {
        let file = openFile(path)
        defer { if file >= 0 { close(file) } }
        let deadline = rt_nanoseconds() + UInt64(seconds * 1e9)
        while file >= 0, flock(file, LOCK_EX | LOCK_NB) != 0 {
            // Other errors than a held lock are permanent.
            guard errno == EWOULDBLOCK || errno == EINTR else { break }
            guard rt_nanoseconds() < deadline, isWanted() else { return false }
            usleep(pauseMicroseconds)
        }
        work()
        // A child that is just being started has a copy of the descriptor: closing ours does not
        // release the lock.
        if file >= 0 { _ = flock(file, LOCK_UN) }
        return true
    }

    /// Opens the lock file; returns -1 if it is not a file of this user.
    private static func openFile(_ path: String) -> Int32 {
        let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return -1 }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_uid == geteuid(),
            status.st_mode & S_IFMT == S_IFREG
        else {
            close(file)
            return -1
        }
        return file
    }
}
