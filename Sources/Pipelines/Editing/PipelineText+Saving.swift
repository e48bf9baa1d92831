internal import Glibc

extension PipelineText {
    /// Replaces a file with the text atomically: readers see either the old text or the new one.
    ///
    /// The mode and the owner of the file stay the same. If the path is a symbolic link, the link
    /// stays, and its target is replaced.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which must exist.
    ///   - old: The text that the file must still contain.
    /// - Throws: `EditError` if the file contains a different text or the system refuses the write;
    ///   the file then stays unchanged.
    public func save(to path: String, over old: PipelineText) throws(EditError) {
        guard !path.utf8.contains(0), let resolved = realpath(path, nil) else {
            throw EditError("\(Quoted(path)) cannot be found: \(reason())")
        }
        defer { free(resolved) }
        let file = String(cString: resolved)
        let slash = file.lastIndex(of: "/") ?? file.startIndex
        let folder = slash == file.startIndex ? "/" : String(file[..<slash])
        var draft = Array("\(folder)/.stompline-XXXXXX".utf8CString)
        let descriptor = mkstemp(&draft)
        guard descriptor >= 0 else {
            throw EditError("no file can be created in \(Quoted(folder)): \(reason())")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var isSaved = false
        defer {
            close(descriptor)
            if !isSaved { unlink(draft) }
        }
        try keepOwner(of: file, descriptor)
        try write(to: descriptor)
        try checkUnchanged(file, old)
        guard rename(draft, file) == 0 else {
            throw EditError("\(Quoted(path)) cannot be replaced: \(reason())")
        }
        isSaved = true
        Self.synchronize(folder)
    }

    private func reason() -> String { strerror(errno).map { String(cString: $0) } ?? "" }

    private func keepOwner(of file: String, _ descriptor: Int32) throws(EditError) {
        var old = stat()
        var new = stat()
        guard stat(file, &old) == 0, fstat(descriptor, &new) == 0 else {
            throw EditError("\(Quoted(file)) cannot be read: \(reason())")
        }
        guard old.st_mode & S_IFMT == S_IFREG else {
            throw EditError("\(Quoted(file)) is not a regular file, so it cannot be replaced")
        }
        guard access(file, W_OK) == 0 else {
            throw EditError("\(Quoted(file)) cannot be written: \(reason())")
        }
        if old.st_uid != new.st_uid || old.st_gid != new.st_gid,
            fchown(descriptor, old.st_uid, old.st_gid) != 0
        {
            throw EditError("the owner of \(Quoted(file)) cannot be kept: \(reason())")
        }
        // Set the mode after the owner, because a change of the owner clears bits of the mode.
        guard fchmod(descriptor, old.st_mode & 0o7777) == 0 else {
            throw EditError("the mode of \(Quoted(file)) cannot be kept: \(reason())")
        }
    }

    private func write(to descriptor: Int32) throws(EditError) {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw EditError("the file cannot be written: \(reason())") }
            done += count
        }
        guard fsync(descriptor) == 0 else {
            throw EditError("the file cannot be written: \(reason())")
        }
    }

    /// Checks that no other program has saved the file since the text was read.
    private func checkUnchanged(_ file: String, _ old: PipelineText) throws(EditError) {
        let contents: FileContents
        do throws(UnreadableFile) {
            contents = try FileContents(path: file)
        } catch {
            throw EditError("\(Quoted(file)) cannot be read: \(error.reason)")
        }
        guard contents.bytes == old.bytes else {
            throw EditError("another program has changed \(Quoted(file))")
        }
    }

    /// Writes the renamed entry to the disk, so that it survives a power failure.
    private static func synchronize(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
