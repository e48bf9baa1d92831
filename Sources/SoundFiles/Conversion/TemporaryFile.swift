internal import Glibc
internal import Platform

/// A file that receives its name when it is complete; until then an older file can have the name.
final class TemporaryFile {
    /// The temporary path, in the same folder as the final one, so that a rename is possible.
    let path: String
    private let name: String
    private var isFinished = false

    /// Selects the temporary path.
    ///
    /// - Throws: `ConversionError` if the name belongs to something other than a regular file.
    init(_ name: String) throws(ConversionError) {
        var status = stat()
        if stat(name, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw .file(SoundFileError(name, .writing, "it is not a regular file"))
        }
        // If the name is a link, replace its target and keep the link.
        self.name = AbsolutePath.resolvingLinks(name) ?? name
        path = "\(self.name).\(getpid()).part"
    }

    deinit { if !isFinished { unlink(path) } }

    /// Renames the file to its final name once all data is on the disk.
    ///
    /// - Throws: `SoundFileError` if that fails.
    func finish() throws(SoundFileError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        let isSafe = file >= 0 && fsync(file) == 0
        if file >= 0 { close(file) }
        guard isSafe, rename(path, name) == 0 else {
            throw SoundFileError(path, .writing, SystemError.last.message)
        }
        isFinished = true
    }
}

extension ConversionError {
    /// Returns the same error, with the path of one file replaced by another name.
    func naming(_ name: String, for path: String) -> ConversionError {
        guard case .file(let error) = self, error.path == path else { return self }
        return .file(SoundFileError(name, error.operation, error.reason))
    }
}
