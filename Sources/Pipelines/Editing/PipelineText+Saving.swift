internal import Glibc

extension PipelineText {
    /// Puts the text in a file's place, all at once: who reads the file finds the old text or the new one.
    ///
    /// Mode and owner stay, and a symbolic link stays one to the file.
    ///
    /// - Parameters:
    ///   - path: The file, which must be there.
    ///   - old: What the file must still hold.
    /// - Throws: `EditFault` where the file holds something else by now, or the system refuses; the file is then as it was.
    public func save(to path: String, over old: PipelineText) throws(EditFault) {
        guard !path.utf8.contains(0), let resolved = realpath(path, nil) else {
            throw EditFault("\(Quoted(path)) can't be found: \(reason())")
        }
        defer { free(resolved) }
        let file = String(cString: resolved)
        let slash = file.lastIndex(of: "/") ?? file.startIndex
        let folder = slash == file.startIndex ? "/" : String(file[..<slash])
        var draft = Array("\(folder)/.stompline-XXXXXX".utf8CString)
        let descriptor = mkstemp(&draft)
        guard descriptor >= 0 else {
            throw EditFault("there is no saving in \(Quoted(folder)): \(reason())")
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
            throw EditFault("\(Quoted(path)) can't be replaced: \(reason())")
        }
        isSaved = true
        Self.synchronize(folder)
    }

    private func reason() -> String { strerror(errno).map { String(cString: $0) } ?? "" }

    private func keepOwner(of file: String, _ descriptor: Int32) throws(EditFault) {
        var old = stat()
        var new = stat()
        guard stat(file, &old) == 0, fstat(descriptor, &new) == 0 else {
            throw EditFault("\(Quoted(file)) can't be read: \(reason())")
        }
        guard old.st_mode & S_IFMT == S_IFREG else {
            throw EditFault("\(Quoted(file)) is no file that can be replaced")
        }
        guard access(file, W_OK) == 0 else {
            throw EditFault("\(Quoted(file)) can't be written: \(reason())")
        }
        if old.st_uid != new.st_uid || old.st_gid != new.st_gid,
            fchown(descriptor, old.st_uid, old.st_gid) != 0
        {
            throw EditFault("the owner of \(Quoted(file)) can't be kept: \(reason())")
        }
        // After the owner, whose change takes bits of the mode away.
        guard fchmod(descriptor, old.st_mode & 0o7777) == 0 else {
            throw EditFault("the mode of \(Quoted(file)) can't be kept: \(reason())")
        }
    }

    private func write(to descriptor: Int32) throws(EditFault) {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw EditFault("the file can't be written: \(reason())") }
            done += count
        }
        guard fsync(descriptor) == 0 else {
            throw EditFault("the file can't be written: \(reason())")
        }
    }

    /// Somebody else may have saved since the text was read.
    private func checkUnchanged(_ file: String, _ old: PipelineText) throws(EditFault) {
        let contents: FileContents
        do throws(UnreadableFile) {
            contents = try FileContents(path: file)
        } catch {
            throw EditFault("\(Quoted(file)) can't be read: \(error.reason)")
        }
        guard contents.bytes == old.bytes else {
            throw EditFault("\(Quoted(file)) was changed by somebody else meanwhile")
        }
    }

    /// Makes the new name last even if the machine stops now.
    private static func synchronize(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
