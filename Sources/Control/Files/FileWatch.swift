internal import Glibc
internal import Synchronization
internal import Platform

/// Reports changes of the content of files, on a separate thread.
///
/// All ways to save a file are supported: in place, in small pieces, by a replacement file, through
/// links, and by a changed link. A whole JSON text is reported as soon as its writer has closed it. A
/// missing file, or one that is touched without a change, is not reported. The files are also checked every second, because the system does not report changes in
/// folders of other machines.
public final class FileWatch: Sendable {
    private let watcher: FileWatcher
    private let thread: OwnThread?

    /// Creates a watch without files.
    ///
    /// - Parameter changed: Called with the path of each file whose content has changed, in the
    ///   form in which it was passed to `watch`.
    public init(_ changed: @escaping @Sendable (String) -> Void) {
        let watcher = FileWatcher(changed)
        self.watcher = watcher
        thread = OwnThread(name: "files") { watcher.run() }
    }

    deinit {
        watcher.end()
        thread?.join()
    }

    /// Replaces the watched files.
    ///
    /// Only later changes are reported, so read the files after this call. A pending change is
    /// still reported if its file was watched before and remains watched.
    public func watch(_ paths: [String]) { watcher.watch(paths) }
}

/// The watched files, and the work of the watching thread.
private final class FileWatcher: Sendable {
    private let changed: @Sendable (String) -> Void
    private let files = Mutex<[WatchedFile]>([])
    private let bell = Bell()
    private let isOver = Atomic(false)

    /// The longest and the shortest time between two checks, in seconds.
    private static let longestPauseSeconds = 1.0
    private static let shortestPauseSeconds = 0.005

    init(_ changed: @escaping @Sendable (String) -> Void) { self.changed = changed }

    func watch(_ paths: [String]) {
        files.withLock { files in
            let watched = Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
            files = paths.map { watched[$0] ?? WatchedFile($0) }
        }
        bell.ring()
    }

    func end() {
        isOver.store(true, ordering: .relaxed)
        bell.ring()
    }

    func run() {
        let folders = FolderWatch()
        var isClosed = false
        while !isOver.load(ordering: .relaxed) {
            let paths = files.withLock { $0.map(\.path) }
            folders.watch(PathFolders(of: paths).folders)
            let now = MonotonicTime.nowSeconds
            for path in settled(nowSeconds: now, isClosed: isClosed) { changed(path) }
            wait(for: folders, seconds: pauseSeconds(nowSeconds: now))
            bell.silence()
            isClosed = folders.silence()
        }
    }

    /// Checks all files, and returns the paths of all changed files that are completely written.
    ///
    /// - Parameters:
    ///   - nowSeconds: The time.
    ///   - isClosed: Whether a writer has closed a file in one of the folders since the last check.
    /// - Returns: The paths.
    private func settled(nowSeconds: Double, isClosed: Bool) -> [String] {
        files.withLock { files in
            files.indices.compactMap { index in
                files[index].look(nowSeconds: nowSeconds, isClosed: isClosed)
                return files[index].settle(nowSeconds: nowSeconds) ? files[index].path : nil
            }
        }
    }

    private func pauseSeconds(nowSeconds: Double) -> Double {
        let due = files.withLock { $0.compactMap(\.dueSeconds).min() }
        let pause = due.map { $0 - nowSeconds } ?? Self.longestPauseSeconds
        return min(max(pause, Self.shortestPauseSeconds), Self.longestPauseSeconds)
    }

    /// Sleeps for a time or until a folder changes, but at least for the shortest pause, so that a
    /// busy folder does not use all processor time.
    private func wait(for folders: FolderWatch, seconds: Double) {
        usleep(UInt32(Self.shortestPauseSeconds * 1e6))
        var waits = [bell.descriptor, folders.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let rest = seconds - Self.shortestPauseSeconds
        _ = poll(&waits, nfds_t(waits.count), Int32((rest * 1000).rounded(.up)))
    }
}
