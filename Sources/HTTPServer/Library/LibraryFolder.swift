internal import Glibc
internal import NIOHTTP1
internal import Platform

/// An open folder of the library.
///
/// Every step goes from the open folder to a name in it and follows no link, so a folder that
/// somebody exchanges meanwhile cannot lead elsewhere. It blocks; only blocking tasks use it.
final class LibraryFolder {
    private let descriptor: Int32

    /// Opens a folder that the user has chosen; links to it are followed.
    ///
    /// - Throws: `LibraryRefusal`.
    init(path: String) throws(LibraryRefusal) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LibraryRefusal(system: errno, path) }
    }

    private init(_ name: String, in parent: LibraryFolder) throws(LibraryRefusal) {
        descriptor = openat(
            parent.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        // Linux reports ENOTDIR for a link if both flags are set.
        guard descriptor >= 0 else {
            throw LibraryRefusal(system: parent.isLink(name) ? ELOOP : errno, name)
        }
    }

    deinit { close(descriptor) }

    /// Returns a folder below this one.
    ///
    /// - Throws: `LibraryRefusal` if it does not exist or is a link.
    func folder(_ names: [String]) throws(LibraryRefusal) -> LibraryFolder {
        var folder = self
        for name in names { folder = try LibraryFolder(name, in: folder) }
        return folder
    }

    /// A path to a file in the folder that this process can open, whatever the folder is called.
    func path(of name: String) -> String { "/proc/self/fd/\(descriptor)/\(name)" }

    /// The free bytes for this program.
    var freeBytes: UInt64 {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0 else { return 0 }
        return UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
            .partialValue
    }

    // MARK: Entries

    /// An entry of the folder.
    struct Entry {
        let name: String
        let isFolder: Bool
        let isLink: Bool
        /// The size in bytes.
        let byteCount: Int
        /// The time of the last change, in seconds since 1970.
        let changedSeconds: Int
        /// Another text after each change.
        let tag: String

        fileprivate init(_ name: String, _ status: stat, isLink: Bool) {
            self.name = name
            self.isLink = isLink
            isFolder = status.st_mode & S_IFMT == S_IFDIR
            byteCount = Int(clamping: status.st_size)
            changedSeconds = Int(clamping: status.st_mtim.tv_sec)
            let parts = [
                Int(clamping: status.st_mtim.tv_sec), Int(clamping: status.st_mtim.tv_nsec),
                Int(clamping: status.st_size), Int(truncatingIfNeeded: status.st_ino),
                Int(truncatingIfNeeded: status.st_dev),
            ]
            tag = parts.map { String($0, radix: 36) }.joined(separator: ".")
        }
    }

    /// Returns the entry with a name; `nil` without one.
    ///
    /// - Throws: `LibraryRefusal` if it is neither a file nor a folder. A link counts as its
    ///   target.
    func entry(_ name: String) throws(LibraryRefusal) -> Entry? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            guard errno == ENOENT else { throw LibraryRefusal(system: errno, name) }
            return nil
        }
        let isLink = status.st_mode & S_IFMT == S_IFLNK
        if isLink, fstatat(descriptor, name, &status, 0) != 0 {
            throw LibraryRefusal(.forbidden, "\"\(name)\" is a link that leads nowhere")
        }
        guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
            throw LibraryRefusal(.forbidden, "\"\(name)\" is neither a file nor a folder")
        }
        return Entry(name, status, isLink: isLink)
    }

    private func isLink(_ name: String) -> Bool {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
            && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Returns the names of the visible entries, sorted.
    ///
    /// - Parameter limit: The largest number of names.
    /// - Returns: The names.
    func names(limit: Int) -> [String] {
        allNames(limit: limit, where: LibraryPath.isAllowed).sorted()
    }

    private func allNames(limit: Int, where isWanted: (String) -> Bool = { _ in true }) -> [String]
    {
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { return [] }
        guard let directory = fdopendir(copy) else {
            close(copy)
            return []
        }
        defer { closedir(directory) }
        var names: [String] = []
        while names.count < limit, let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) {
                    String(validatingCString: $0)
                }
            }
            if let name, isWanted(name) { names.append(name) }
        }
        return names
    }

    // MARK: Writing

    /// The start of the names of temporary files.
    private static let temporaryStart = ".stompline-upload-"
    /// The age from which a temporary file that nobody writes is removed, in seconds.
    private static let abandonedSeconds = 60

    /// Creates a file with a temporary name that is hidden, and removes those that a program has
    /// left behind because it was killed.
    ///
    /// - Returns: The name, and the open file.
    /// - Throws: `LibraryRefusal`.
    func makeTemporaryFile(for name: String) throws(LibraryRefusal) -> (name: String, file: Int32) {
        removeAbandonedFiles()
        var generator = SystemRandomNumberGenerator()
        let number = UInt64.random(in: .min ... .max, using: &generator)
        let temporary = Self.temporaryStart + String(number, radix: 36)
        let file = openat(
            descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw LibraryRefusal(system: errno, name) }
        // The lock says that the file is being written; the system ends it with the process.
        _ = flock(file, LOCK_EX | LOCK_NB)
        return (temporary, file)
    }

    private func removeAbandonedFiles() {
        for name in allNames(limit: .max) where name.hasPrefix(Self.temporaryStart) {
            var status = stat()
            let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard file >= 0 else { continue }
            defer { close(file) }
            guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                time(nil) - status.st_mtim.tv_sec > Self.abandonedSeconds,
                flock(file, LOCK_EX | LOCK_NB) == 0
            else { continue }
            remove(name)
        }
    }

    /// Removes a temporary file.
    func remove(_ temporary: String) { unlinkat(descriptor, temporary, 0) }

    /// Gives a temporary file its name, if no file has it.
    ///
    /// - Throws: `LibraryRefusal`.
    func publish(_ temporary: String, as name: String) throws(LibraryRefusal) {
        if linkat(descriptor, temporary, descriptor, name, 0) == 0 {
            unlinkat(descriptor, temporary, 0)
        } else {
            // File systems without hard links, such as those of memory sticks, report EPERM.
            let isUnable = errno == EPERM || errno == EOPNOTSUPP
            if let existing = try entry(name) { throw .exists(name, tag: existing.tag) }
            guard isUnable else { throw LibraryRefusal(system: errno, name) }
            try replace(name, by: temporary)
        }
        fsync(descriptor)
    }

    /// Gives a temporary file the name of an existing file, which disappears.
    ///
    /// - Throws: `LibraryRefusal`.
    func replace(_ name: String, by temporary: String) throws(LibraryRefusal) {
        guard renameat(descriptor, temporary, descriptor, name) == 0 else {
            throw LibraryRefusal(system: errno, name)
        }
        fsync(descriptor)
    }
}
