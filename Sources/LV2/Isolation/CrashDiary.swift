internal import CLilv
internal import CRealtime
internal import Glibc
internal import Platform

/// A small file in which the program marks the plugin code that it runs.
///
/// After a crash, the next start reads from these marks which plugin ended the process. The marks
/// are plain stores into mapped memory. They cost next to nothing and survive the process, whether
/// it dies from a signal or from a plugin's call to `exit`. The file is in memory, with a link to
/// it in the folder: a file on a disk is written back from time to time, and the file system then
/// delays the next thread that stores into it. Each process locks its own file, so an unlocked file
/// belongs to a process that has ended.
public final class CrashDiary {
    /// The number of marks; plugin instances beyond it have no mark.
    private static let markCount = 512
    private static var bytes: Int { markCount * CrashMark.bytes }
    private static let suffix = ".running"
    /// The longest time to wait for plugins that another thread is about to free.
    private static let timeoutNanoseconds: UInt64 = 500_000_000
    /// The start of the file's own path, in a folder that all users share.
    private static let filePrefix = "/dev/shm/stompline-"

    let marks: CrashMarks
    /// The link in the folder.
    private let path: String
    /// The file that contains the marks.
    private let target: String
    private let file: Int32
    private let memory: UnsafeMutableRawPointer

    /// Starts a diary of this process in a folder; `nil` if the folder cannot be written.
    public init?(folder: String = CrashDiary.folder) {
        UserFolder.make(folder)
        path = "\(folder)/\(getpid())\(Self.suffix)"
        // The file of an ended process that had the same process ID.
        Self.remove(path)
        target =
            Self.filePrefix + "\(getpid())-" + String(UInt64.random(in: 0 ... .max), radix: 36)
        file = open(target, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return nil }
        guard file_lock(file), ftruncate(file, off_t(Self.bytes)) == 0,
            let memory = Self.map(file, PROT_READ | PROT_WRITE), symlink(target, path) == 0
        else {
            close(file)
            unlink(target)
            return nil
        }
        self.memory = memory
        marks = CrashMarks(memory, count: Self.markCount)
    }

    // The memory remains mapped, because a plugin's thread may still write marks.
    deinit { close(file) }

    /// Removes the diary after a run without a crash, and older crash records of its plugins.
    ///
    /// Waits up to 0.5 s for plugins that another thread is about to free. If a plugin is still in
    /// its own code after that, it hangs: the run did not end well, and the diary is kept.
    ///
    /// - Parameters:
    ///   - uris: The plugins that this run used. Older diaries that name only these are removed.
    ///   - folder: The folder of the diaries.
    public func endNormally(played uris: Set<String>, folder: String = CrashDiary.folder) {
        let deadline = rt_nanoseconds() + Self.timeoutNanoseconds
        while marks.areReserved, rt_nanoseconds() < deadline { usleep(2_000) }
        guard CrashMarks.found(in: memory, count: Self.markCount).isEmpty else { return }
        // Remove the file even if another program has removed the link.
        unlink(target)
        Self.remove(path)
        for (path, crashes) in Self.deadFiles(in: folder)
        where crashes.allSatisfy({ uris.contains($0.uri) }) {
            Self.remove(path)
        }
    }

    /// Returns the plugins in whose code earlier processes ended, without duplicates.
    public static func crashes(folder: String = CrashDiary.folder) -> [PluginCrash] {
        var crashes: [PluginCrash] = []
        for crash in deadFiles(in: folder).flatMap(\.crashes) where !crashes.contains(crash) {
            crashes.append(crash)
        }
        return crashes
    }

    /// The folder for the program's state: in `XDG_STATE_HOME`, or else in `~/.local/state`.
    public static var folder: String {
        UserFolder.state ?? "/tmp/.local/state/stompline"
    }

    /// Returns the diaries of processes that have ended, with the crashes that they record.
    private static func deadFiles(in folder: String) -> [(path: String, crashes: [PluginCrash])] {
        UserFolder.names(in: folder).filter { $0.hasSuffix(suffix) }.compactMap { name in
            let path = folder + "/" + name
            let file = open(path, O_RDWR | O_CLOEXEC)
            // The machine was restarted since: the link has no target.
            guard file >= 0 else { return errno == ENOENT ? (path, []) : nil }
            defer { close(file) }
            var status = stat()
            guard file_lock(file), fstat(file, &status) == 0, status.st_uid == getuid(),
                status.st_size == off_t(bytes), let memory = map(file, PROT_READ)
            else { return nil }
            defer { munmap(memory, bytes) }
            return (path, CrashMarks.found(in: memory, count: markCount))
        }
    }

    /// Removes a diary's link and its target; does nothing if there is no link.
    private static func remove(_ path: String) {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        readlink(path, &target, target.count - 1)
        if strncmp(target, filePrefix, filePrefix.utf8.count) == 0 { unlink(target) }
        unlink(path)
    }

    private static func map(_ file: Int32, _ protection: Int32) -> UnsafeMutableRawPointer? {
        let memory = mmap(nil, bytes, protection, MAP_SHARED, file, 0)
        return memory == MAP_FAILED ? nil : memory
    }
}
