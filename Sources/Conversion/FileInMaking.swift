internal import Glibc
internal import SoundFiles

/// A file that gets its name only when it is whole; until then another file may have it.
final class FileInMaking {
    /// Where it is written: beside its name, so that it can be moved there at once.
    let path: String
    private let name: String
    private var isFinished = false

    /// Finds a place for it.
    ///
    /// - Throws: `ConversionFault` where the name is that of something else than a file.
    init(_ name: String) throws(ConversionFault) {
        var status = stat()
        if stat(name, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw .file(SoundFileFault(name, .writing, "it is not a file"))
        }
        // A link stays a link to what is made.
        let target = realpath(name, nil)
        defer { free(target) }
        self.name = target.map { String(cString: $0) } ?? name
        path = "\(self.name).\(getpid()).part"
    }

    deinit { if !isFinished { unlink(path) } }

    /// Gives it its name, once all of it is on the disk.
    ///
    /// - Throws: `SoundFileFault` where that fails.
    func finish() throws(SoundFileFault) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        let isSafe = file >= 0 && fsync(file) == 0
        if file >= 0 { close(file) }
        guard isSafe, rename(path, name) == 0 else {
            let reason = strerror(errno).map { String(cString: $0) } ?? "unknown reason"
            throw SoundFileFault(path, .writing, reason)
        }
        isFinished = true
    }
}

extension ConversionFault {
    /// The same fault, with one file named for another.
    func naming(_ name: String, for path: String) -> ConversionFault {
        guard case .file(let fault) = self, fault.path == path else { return self }
        return .file(SoundFileFault(name, fault.operation, fault.reason))
    }
}
