internal import Glibc

/// The bytes of a file, as far as they are read.
struct FileContents {
    let bytes: [UInt8]

    /// Reads a file, but no more than one byte beyond what a document may have.
    init(path: String) throws(UnreadableFile) {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        let descriptor = path.utf8.contains(0) ? -1 : open(path, flags)
        guard descriptor >= 0 else { throw UnreadableFile(path, errno) }
        defer { close(descriptor) }
        let isSilent = Self.isSilentPipe(descriptor)
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= Document.maximumBytes {
            let count = read(descriptor, &part, part.count)
            if count < 0, errno == EAGAIN {
                // Somebody writes, but slowly: from here on the file is waited for.
                _ = fcntl(descriptor, F_SETFL, O_RDONLY)
                continue
            }
            guard count >= 0 else { throw UnreadableFile(path, errno) }
            if count == 0, bytes.isEmpty, isSilent {
                throw UnreadableFile(path, reason: "nobody writes to this pipe")
            }
            if count == 0 { break }
            bytes.append(contentsOf: part[..<count])
        }
        self.bytes = bytes
    }

    /// Whether this is a named pipe that nothing came from in two seconds.
    private static func isSilentPipe(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
            return false
        }
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&wait, 1, 2000) == 0
    }
}

/// A file that the system does not give.
struct UnreadableFile: Error {
    let path: String
    /// The system's reason, in words.
    let reason: String

    init(_ path: String, _ code: Int32) {
        self.init(
            path, reason: strerror(code).map { String(cString: $0) } ?? "error \(code)")
    }

    init(_ path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// What is told where the file itself was asked for.
    var invalidPipeline: InvalidPipeline {
        InvalidPipeline(
            diagnostics: [
                Diagnostic(
                    file: path, line: 1, column: 1, pointer: "", code: .file,
                    message: "the file can't be read: \(reason)", suggestion: nil)
            ], isUnreadable: true)
    }
}

/// Parts of paths.
enum FilePath {
    /// The last part, without its extension.
    static func name(of path: String) -> String {
        let last = path.split(separator: "/").last.map(String.init) ?? path
        guard let dot = last.lastIndex(of: "."), dot > last.startIndex else { return last }
        return String(last[..<dot])
    }

    /// The folder of a file, with its slash; empty for the working folder.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// Whether a path leads into a folder or one below it, by its words alone: a link there is its owner's own choice.
    static func isInside(_ path: String, folder: String) -> Bool {
        let parts = path.split(separator: "/")
        guard !parts.contains("..") else { return false }
        guard path.hasPrefix("/") else { return true }
        guard let folders = absoluteParts(of: folder) else { return false }
        return parts.filter { $0 != "." }.starts(with: folders)
    }

    /// The folders from the root down to a folder, by its words alone; nil where the working folder is gone.
    private static func absoluteParts(of folder: String) -> [Substring]? {
        var whole = folder
        if !folder.hasPrefix("/") {
            guard let current = getcwd(nil, 0) else { return nil }
            whole = String(cString: current) + "/" + folder
            free(current)
        }
        return whole.split(separator: "/").reduce(into: []) { parts, part in
            switch part {
            case ".": break
            case "..": _ = parts.popLast()
            default: parts.append(part)
            }
        }
    }

    /// A path that is relative to the folder of another file.
    static func resolve(_ path: String, besideFile file: String) -> String {
        guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
        return String(file[...slash]) + path
    }
}
