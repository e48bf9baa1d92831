internal import CZlib
internal import Glibc
internal import Platform

/// The files with which Linux describes a machine.
package struct Machine: Sendable {
    /// The largest file that is read, in bytes.
    private static let mostBytes = 1 << 20

    /// The folder with `proc`, `sys`, `etc` and `boot`, without a trailing slash.
    private let root: String
    /// The absolute path of the folder of takes, without the root.
    let takes: String
    /// The absolute path of this user's folder, without the root; `nil` if it is not known.
    let home: String?
    /// The JACK library of this process; `nil` if it is not known.
    let library: AudioLibrary?

    /// Creates a description.
    ///
    /// - Parameters:
    ///   - root: The folder that contains `proc` and `sys`.
    ///   - takes: The folder in which takes are recorded, as an absolute path below the root.
    ///   - home: The folder of the user, as an absolute path below the root.
    ///   - library: The JACK library of this process, which no file states.
    package init(
        root: String = "/", takes: String = "/", home: String? = nil,
        library: AudioLibrary? = nil
    ) {
        self.root = root.hasSuffix("/") ? String(root.dropLast()) : root
        self.takes = takes
        self.home = home
        self.library = library
    }

    /// Returns the text of a file without surrounding space; `nil` if it cannot be read.
    func text(_ path: String) -> String? {
        FileBytes.read(root + path, limit: Self.mostBytes).map {
            var bytes = $0[...]
            while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
            return String(decoding: bytes.drop { $0 <= 0x20 }, as: UTF8.self)
        }
    }

    /// Returns the lines of a file; none if it cannot be read.
    func lines(_ path: String) -> [Substring] { text(path)?.split(separator: "\n") ?? [] }

    /// Returns the number in a file; `nil` if there is none.
    func number(_ path: String) -> Int? { text(path).flatMap { Int($0) } }

    /// Returns the sorted names in a folder; none if it cannot be read.
    func names(in folder: String) -> [String] { UserFolder.names(in: root + folder) }

    /// Returns the paths in a folder whose names begin with a text and continue with a digit.
    func numbered(_ prefix: String, in folder: String) -> [String] {
        names(in: folder)
            .filter { $0.hasPrefix(prefix) && $0.dropFirst(prefix.count).first?.isNumber == true }
            .map { "\(folder)/\($0)" }
    }

    /// Returns whether a file or folder exists.
    func exists(_ path: String) -> Bool { Glibc.access(root + path, F_OK) == 0 }

    /// Returns whether this user can record into a folder.
    ///
    /// - Parameter folder: The path.
    /// - Returns: The access; `nil` if the files are a copy of another machine's, which may lack the
    ///   folder.
    func access(toFolder folder: String) -> FolderAccess? {
        guard root.isEmpty else { return nil }
        var status = stat()
        guard stat(folder, &status) == 0 else { return errno == EACCES ? .refused : .missing }
        guard status.st_mode & S_IFMT == S_IFDIR else { return .notFolder }
        return Glibc.access(folder, W_OK | X_OK) == 0 ? .granted : .refused
    }

    /// Returns the path without symbolic links; `nil` if it does not exist.
    func resolved(_ path: String) -> String? {
        guard let whole = realpath(root + path, nil) else { return nil }
        defer { free(whole) }
        let start = realpath(root.isEmpty ? "/" : root, nil)
        defer { free(start) }
        let (text, prefix) = (String(cString: whole), start.map { String(cString: $0) } ?? "")
        return prefix.count > 1 && text.hasPrefix(prefix)
            ? String(text.dropFirst(prefix.count)) : text
    }

    /// Returns the free bytes of the file system of a folder; `nil` if it does not exist.
    func freeBytes(_ folder: String) -> Int? {
        var status = statvfs()
        guard statvfs(root + folder, &status) == 0 else { return nil }
        let (bytes, isTooLarge) = status.f_bavail.multipliedReportingOverflow(by: status.f_frsize)
        return isTooLarge ? .max : Int(clamping: bytes)
    }

    /// The options with which the kernel was started.
    var bootOptions: [Substring] { text("/proc/cmdline")?.split(separator: " ") ?? [] }

    /// The lines of the kernel's build configuration; none if the machine has no copy of it.
    var kernelConfiguration: [Substring] {
        if let text = unpacked("/proc/config.gz") { return text.split(separator: "\n") }
        return text("/proc/sys/kernel/osrelease").map { lines("/boot/config-\($0)") } ?? []
    }

    /// Returns the text of a gzip file; zlib returns other files unchanged.
    private func unpacked(_ path: String) -> String? {
        guard let file = gzopen(root + path, "rbe") else { return nil }
        defer { gzclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= Self.mostBytes {
            let count = Int(gzread(file, &part, UInt32(part.count)))
            if count < 0 { return nil }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += part[..<count]
        }
        return nil
    }
}

/// Whether a user can write files into a folder.
enum FolderAccess {
    case granted
    /// The user may not write into the folder, or the disk is read-only.
    case refused
    case missing
    /// There is a file in place of the folder.
    case notFolder
}
