internal import CLilv
internal import Glibc

/// A small file in which plugins leave marks of what they are in, so that the next start can tell which one ended the last.
///
/// The marks are plain stores into mapped memory: they cost next to nothing, and stay where the process dies, be it of a
/// signal or of an `exit` that a plugin called. The file is in memory, with a link to it in the folder: one of a disk is
/// written back now and then, and who stores into it next is held up by the file system. A process locks its own file, so one
/// that is not locked is a dead one's.
public final class CrashDiary {
    /// Plugin instances that have a mark; those beyond have none.
    private static let markCount = 512
    private static var bytes: Int { markCount * CrashMark.bytes }
    private static let suffix = ".running"
    /// Where the file itself lies, in a folder of all users.
    private static let filePrefix = "/dev/shm/stompline-"

    let marks: CrashMarks
    private let path: String
    private let file: Int32
    private let memory: UnsafeMutableRawPointer

    /// Begins a diary of this process in a folder; nil where nothing can be written there.
    public init?(folder: String = CrashDiary.folder) {
        UserFolder.make(folder)
        path = "\(folder)/\(getpid())\(Self.suffix)"
        // Of a dead process that had the same number.
        Self.remove(path)
        let target =
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

    // The memory stays mapped: a plugin's thread may still mark in it.
    deinit { close(file) }

    /// Ends the diary of a run that ended well, and forgets former crashes of plugins that it played.
    ///
    /// It waits a moment for plugins that another thread is about to free. One that is still in its own code hangs: then
    /// the run did not end well.
    public func endWell(played uris: Set<String>, folder: String = CrashDiary.folder) {
        for _ in 0..<250 where marks.areTaken { usleep(2_000) }
        guard CrashMarks.found(in: memory, count: Self.markCount).isEmpty else { return }
        Self.remove(path)
        for (path, crashes) in Self.deadFiles(in: folder)
        where crashes.allSatisfy({ uris.contains($0.uri) }) {
            Self.remove(path)
        }
    }

    /// The plugins in whose code earlier processes ended, each once.
    public static func crashes(folder: String = CrashDiary.folder) -> [PluginCrash] {
        var crashes: [PluginCrash] = []
        for crash in deadFiles(in: folder).flatMap(\.crashes) where !crashes.contains(crash) {
            crashes.append(crash)
        }
        return crashes
    }

    /// Where state is kept: `XDG_STATE_HOME`, or else `~/.local/state`.
    public static var folder: String {
        UserFolder.state ?? "/tmp/.local/state/stompline"
    }

    /// The diaries of processes that are no more, with what they tell.
    private static func deadFiles(in folder: String) -> [(path: String, crashes: [PluginCrash])] {
        UserFolder.names(in: folder).filter { $0.hasSuffix(suffix) }.compactMap { name in
            let path = folder + "/" + name
            let file = open(path, O_RDWR | O_CLOEXEC)
            // The machine was started anew since.
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

    /// Removes a diary by its link; nothing happens where there is none.
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
