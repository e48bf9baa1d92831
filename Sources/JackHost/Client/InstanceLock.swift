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

    /// Shows the waiting instances that the holder of the lock is making progress.
    package struct Holder {
        fileprivate let file: Int32

        /// Notes a step: those that wait count their time from here.
        package func noteProgress() { if file >= 0 { _ = futimens(file, nil) } }
    }

    /// The path of the lock file, in the folder where libjack keeps the metadata.
    package static var path: String { "/dev/shm/stompline-\(geteuid()).lock" }

    /// Waits for the lock, and calls `work` while it holds the lock.
    ///
    /// On a busy machine many instances need a long time in all, so the wait is limited only while
    /// no holder makes progress. The modification time of the file shows the last step of a holder.
    ///
    /// Do not call it on the session's thread or the audio thread.
    ///
    /// If the file cannot be used, because the folder does not exist or the file belongs to another
    /// user, `work` is called without waiting.
    ///
    /// - Parameters:
    ///   - seconds: The longest wait without progress of a holder.
    ///   - path: The lock file.
    ///   - isWanted: Called repeatedly during the wait; `false` ends the wait.
    ///   - work: Called while the lock is held; it notes its steps.
    /// - Returns: Whether `work` was called; `false` if the lock was not free in time.
    package static func run(
        withinSeconds seconds: Double, path: String = path,
        while isWanted: () -> Bool = { true }, _ work: (Holder) -> Void
    ) -> Bool {
        let file = openFile(path)
        defer { if file >= 0 { close(file) } }
        let timeout = UInt64(seconds * 1e9)
        var (deadline, lastStep) = (rt_nanoseconds() + timeout, modificationTime(file))
        while file >= 0, flock(file, LOCK_EX | LOCK_NB) != 0 {
            // Other errors than a held lock are permanent.
            guard errno == EWOULDBLOCK || errno == EINTR else { break }
            let step = modificationTime(file)
            if step != lastStep { (deadline, lastStep) = (rt_nanoseconds() + timeout, step) }
            guard rt_nanoseconds() < deadline, isWanted() else { return false }
            usleep(pauseMicroseconds)
        }
        let holder = Holder(file: file)
        holder.noteProgress()
        work(holder)
        // A child that is just being started has a copy of the descriptor: closing ours does not
        // release the lock.
        if file >= 0 { _ = flock(file, LOCK_UN) }
        return true
    }

    /// Returns the modification time of a file, in nanoseconds of an unspecified epoch.
    private static func modificationTime(_ file: Int32) -> Int {
        var status = stat()
        guard fstat(file, &status) == 0 else { return 0 }
        return status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec
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
