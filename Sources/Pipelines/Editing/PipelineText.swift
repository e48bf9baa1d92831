internal import Glibc
internal import Platform

/// The text of a pipeline or setlist file; an edit changes one value or entry and keeps all other
/// bytes.
public struct PipelineText: Sendable {
    /// The whole text.
    public let bytes: [UInt8]
    let document: Document

    /// Parses a text.
    ///
    /// - Throws: `EditError` if the text is not a valid JSON object.
    public init(_ bytes: [UInt8]) throws(EditError) {
        let errors = ErrorList()
        document = Document(parsing: bytes, errors: errors)
        self.bytes = bytes
        if let error = errors.diagnostics(of: document, file: "").first {
            throw EditError("line \(error.line), column \(error.column): \(error.message)")
        }
        guard case .object = document.root.content else {
            throw EditError("the file does not contain a JSON object")
        }
    }

    /// Reads a file.
    ///
    /// - Throws: `EditError` if the file cannot be read or is not a valid JSON object.
    public init(ofFile path: String) throws(EditError) {
        let contents: FileContents
        do throws(UnreadableFile) {
            contents = try FileContents(path: path)
        } catch {
            throw EditError("\(Quoted(path)) cannot be read: \(error.reason)")
        }
        try self.init(contents.bytes)
    }

    // MARK: Changing bytes

    func replacing(_ range: Range<Int>, with text: String) throws(EditError) -> PipelineText {
        var changed = bytes
        changed.replaceSubrange(range, with: text.utf8)
        return try PipelineText(changed)
    }

    /// Returns the text with an entry added to an array or object, in the style of the last entry.
    func adding(
        _ text: String, to container: JSONElement, _ style: TextStyle
    ) throws(EditError) -> PipelineText {
        let starts = container.elements.map(\.start) + container.members.map(\.start)
        let ends = container.elements.map(\.end) + container.members.map(\.value.end)
        guard let start = starts.last, let end = ends.last else {
            return try filling(container, with: text, style)
        }
        let line = TextStyle.lineSpace(before: start, in: bytes)
        let separator = line.map { "," + $0 } ?? style.comma
        return try replacing(end..<end, with: separator + text)
    }

    /// Adds the first entry to an empty container; keeps the space inside its brackets.
    private func filling(
        _ container: JSONElement, with text: String, _ style: TextStyle
    ) throws(EditError) -> PipelineText {
        let offset = container.start + 1
        let isTight = container.end - offset == 1
        let closing = TextStyle.lineSpace(before: container.end - 1, in: bytes)
        if let closing, let indentation = style.indentation {
            return try replacing(offset..<offset, with: closing + indentation + text)
        }
        let padding = isTight ? style.padding : ""
        return try replacing(offset..<offset, with: style.padding + text + padding)
    }
}

extension PipelineText {
    /// Replaces a file with the text atomically: readers see either the old text or the new one.
    ///
    /// The mode and the owner of the file are kept. If the path is a symbolic link, the link is
    /// kept, and its target is replaced.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which must exist.
    ///   - old: The text that the file must still contain.
    /// - Throws: `EditError` if the file contains a different text or the system refuses the write;
    ///   the file is then unchanged.
    public func save(to path: String, over old: PipelineText) throws(EditError) {
        guard !path.utf8.contains(0), let file = AbsolutePath.resolvingLinks(path) else {
            throw EditError("\(Quoted(path)) cannot be found: \(reason())")
        }
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

    private func reason() -> String { SystemError.last.message }

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
