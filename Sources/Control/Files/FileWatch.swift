internal import Glibc
internal import Synchronization
internal import Threads

/// Tells when the content of files has changed, on a thread of its own.
///
/// It does not matter how they are saved: in place, in small pieces, by another file that takes their place, through
/// links, or by a link that leads elsewhere. A file that is away, or touched without a change, is not told of. Where
/// the system does not say what happens, as in the folders of other machines, the files are looked at each second.
public final class FileWatch: Sendable {
    private let watcher: FileWatcher
    private let thread: OwnThread?

    /// Watches no file yet.
    ///
    /// - Parameter changed: Called with the path of each file whose content is another one, as it was given.
    public init(_ changed: @escaping @Sendable (String) -> Void) {
        let watcher = FileWatcher(changed)
        self.watcher = watcher
        thread = OwnThread(name: "files") { watcher.run() }
    }

    deinit {
        watcher.end()
        thread?.join()
    }

    /// Watches these files and no others; changes from now on count, so what is to be read is read after this.
    ///
    /// Of a file that was watched before, a change that is not told yet still will be.
    public func watch(_ paths: [String]) { watcher.watch(paths) }
}

/// The files that are watched, and the thread's work.
private final class FileWatcher: Sendable {
    private let changed: @Sendable (String) -> Void
    private let files = Mutex<[WatchedFile]>([])
    private let bell = Bell()
    private let isOver = Atomic(false)

    /// How often the files are looked at where nothing is heard, and how often at most, in seconds.
    private static let longestPauseSeconds = 1.0
    private static let shortestPauseSeconds = 0.01

    init(_ changed: @escaping @Sendable (String) -> Void) { self.changed = changed }

    func watch(_ paths: [String]) {
        files.withLock { files in
            files = paths.map { path in files.first { $0.path == path } ?? WatchedFile(path) }
        }
        bell.ring()
    }

    func end() {
        isOver.store(true, ordering: .relaxed)
        bell.ring()
    }

    func run() {
        let folders = FolderWatch()
        while !isOver.load(ordering: .relaxed) {
            let paths = files.withLock { $0.map(\.path) }
            folders.watch(paths.reduce(into: []) { $0.formUnion(FileTrail.folders(of: $1)) })
            let now = MonotonicTime.nowSeconds
            for path in settled(nowSeconds: now) { changed(path) }
            wait(for: folders, seconds: pauseSeconds(nowSeconds: now))
            bell.silence()
            folders.silence()
        }
    }

    /// Looks at all files, and gives the paths of those that have changed and come to rest.
    private func settled(nowSeconds: Double) -> [String] {
        files.withLock { files in
            files.indices.compactMap { place in
                files[place].look(nowSeconds: nowSeconds)
                return files[place].settle(nowSeconds: nowSeconds) ? files[place].path : nil
            }
        }
    }

    private func pauseSeconds(nowSeconds: Double) -> Double {
        let due = files.withLock { $0.compactMap(\.dueSeconds).min() }
        let pause = due.map { $0 - nowSeconds } ?? Self.longestPauseSeconds
        return min(max(pause, Self.shortestPauseSeconds), Self.longestPauseSeconds)
    }

    /// Sleeps for a time, or until something happens; never so short that a busy folder keeps us busy.
    private func wait(for folders: FolderWatch, seconds: Double) {
        usleep(UInt32(Self.shortestPauseSeconds * 1e6))
        var waits = [bell.descriptor, folders.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let rest = seconds - Self.shortestPauseSeconds
        _ = poll(&waits, nfds_t(waits.count), Int32((rest * 1000).rounded(.up)))
    }
}
