internal import Glibc
internal import Platform

/// The bytes of a file, up to a limit.
package struct FileContents {
    package let bytes: [UInt8]

    /// The longest silence of a pipe, in milliseconds.
    private static let silenceMilliseconds: Int32 = 10_000
    /// The longest silence of a pipe before the first byte, in milliseconds.
    private static let firstMilliseconds: Int32 = 2_000

    /// Creates contents that are not read from the disk.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a file or a pipe, at most one byte more than a document may have.
    package init(path: String) throws(UnreadableFile) {
        try self.init(path: path, limitBytes: Document.maximumBytes)
    }

    /// Reads a file or a pipe, at most one byte more than a limit.
    ///
    /// Devices are refused, because a device can deliver bytes without end, or act when opened.
    package init(path: String, limitBytes: Int) throws(UnreadableFile) {
        var status = stat()
        guard !path.utf8.contains(0), stat(path, &status) == 0 else {
            throw UnreadableFile(path, path.utf8.contains(0) ? ENOENT : errno)
        }
        let isPipe = status.st_mode & S_IFMT == S_IFIFO
        guard status.st_mode & S_IFMT != S_IFDIR else { throw UnreadableFile(path, EISDIR) }
        guard isPipe || status.st_mode & S_IFMT == S_IFREG else {
            throw UnreadableFile(path, reason: "it is neither a file nor a pipe")
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw UnreadableFile(path, errno) }
        defer { close(descriptor) }
        let isSilent = isPipe && !Self.isReady(descriptor, within: Self.firstMilliseconds)
        var bytes: [UInt8] = []
        // Most files are short; a buffer for the longest would cost more than reading them.
        let length = isPipe ? 1 << 16 : min(max(Int(status.st_size), 0) + 1, limitBytes + 1)
        if !isPipe { bytes.reserveCapacity(length) }
        var part = [UInt8](repeating: 0, count: min(length, 1 << 16))
        while bytes.count <= limitBytes {
            let count = read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                // The pipe has a writer, but it is slow.
                guard Self.isReady(descriptor, within: Self.silenceMilliseconds) else {
                    let seconds = Self.silenceMilliseconds / 1000
                    throw UnreadableFile(path, reason: "no data arrived for \(seconds) s")
                }
                continue
            }
            guard count >= 0 else { throw UnreadableFile(path, errno) }
            if count == 0, bytes.isEmpty, isSilent {
                throw UnreadableFile(path, reason: "no program writes to this pipe")
            }
            if count == 0 { break }
            bytes.append(contentsOf: part[..<count])
        }
        self.bytes = bytes
    }

    /// Waits for bytes or the end; returns `false` if that takes too long.
    private static func isReady(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&wait, 1, milliseconds) != 0
    }
}

/// The error for a file that cannot be read.
package struct UnreadableFile: Error {
    let path: String
    /// The reason from the system, as text.
    package let reason: String

    init(_ path: String, _ code: Int32) {
        self.init(path, reason: SystemError(code).message)
    }

    package init(_ path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// The error as a diagnostic, for a file that the user named.
    var invalidPipeline: InvalidPipeline {
        InvalidPipeline(
            diagnostics: [
                Diagnostic(
                    file: path, line: 1, column: 1, pointer: "", code: .file,
                    message: "the file cannot be read: \(reason)", suggestion: nil)
            ], isUnreadable: true)
    }
}

/// Functions for parts of paths.
enum FilePath {
    /// Returns the last part of a path without its extension.
    static func name(of path: String) -> String {
        let last = path.split(separator: "/").last.map(String.init) ?? path
        guard let dot = last.lastIndex(of: "."), dot > last.startIndex else { return last }
        return String(last[..<dot])
    }

    /// Returns the folder of a file with its slash; empty for the working folder.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// Returns whether a path leads into a folder or below it, judged by its text.
    ///
    /// Links are not resolved: a link in the folder is its owner's choice.
    static func isInside(_ path: String, folder: String) -> Bool {
        let parts = path.split(separator: "/")
        guard !parts.contains("..") else { return false }
        guard path.hasPrefix("/") else { return true }
        guard let folders = absoluteParts(of: folder) else { return false }
        return parts.filter { $0 != "." }.starts(with: folders)
    }

    /// Returns the parts of an absolute folder path; `nil` if the working folder does not exist.
    private static func absoluteParts(of folder: String) -> [Substring]? {
        AbsolutePath.keepingLinks(folder)?.split(separator: "/").reduce(into: []) { parts, part in
            switch part {
            case ".": break
            case "..": _ = parts.popLast()
            default: parts.append(part)
            }
        }
    }

    /// Resolves a path relative to the folder of another file.
    static func resolve(_ path: String, relativeToFile file: String) -> String {
        guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
        return String(file[...slash]) + path
    }
}
