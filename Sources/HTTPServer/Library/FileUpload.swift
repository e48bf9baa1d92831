internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import Pipelines
internal import Platform
internal import SoundFiles
internal import Synchronization

/// A file that a client sends, on its way to the disk.
///
/// The server's thread adds the bytes and never waits. A blocking task writes them under a temporary
/// name, checks the file, and gives it its name. Until then nobody sees the file.
final class FileUpload: Sendable {
    /// The file to write.
    struct Target: Sendable {
        /// The folder that the user has chosen.
        let folder: String
        /// The path below it.
        let path: LibraryPath
        let kind: LibraryFileKind
        /// The tag of the file that is replaced; `nil` for a new file.
        let replacedTag: String?
        /// Checks a pipeline, given its bytes and its path; returns its errors.
        let check: @Sendable ([UInt8], String) -> [Diagnostic]
    }

    /// The bytes that wait for the disk, above which the client must wait.
    private static let fullBytes = 1 << 20
    /// The waiting bytes below which the client may continue.
    private static let lowBytes = 256 << 10
    /// The bytes after which the disk must have written everything, so that a long file does not
    /// fill the memory that players and recorders need for theirs.
    private static let syncBytes = 8 << 20
    /// Naming files is done by one upload at a time, so that two of them do not replace each other.
    private static let naming = Mutex(())

    private struct State {
        var chunks: [ByteBuffer] = []
        var waitingBytes = 0
        var isFull = false
        var isComplete = false
        var isCancelled = false
    }

    private let target: Target
    private let reserveBytes: UInt64
    private let state = Mutex(State())
    private let arrival = Semaphore()
    private let resume: @Sendable () -> Void

    /// Starts to write a file.
    ///
    /// - Parameters:
    ///   - target: The file.
    ///   - byteCount: Its size, if the client states it.
    ///   - reserveBytes: The bytes of the disk that must stay free.
    ///   - resume: Called on another thread when a client that had to wait may continue.
    ///   - finish: Called once on another thread with the response.
    init(
        to target: Target, byteCount: Int?, reserveBytes: Int,
        resume: @escaping @Sendable () -> Void, finish: @escaping @Sendable (Response) -> Void
    ) {
        self.target = target
        self.reserveBytes = UInt64(clamping: reserveBytes)
        self.resume = resume
        _ = BlockingTask { [self] in
            do throws(LibraryRefusal) {
                finish(try write(byteCount: byteCount))
            } catch {
                finish(error.response)
            }
            // Later bytes are of no use.
            cancel()
        }
    }

    // MARK: The server's thread

    /// Adds bytes.
    ///
    /// - Returns: Whether the client may send more; otherwise `resume` is called later.
    func add(_ bytes: ByteBuffer) -> Bool {
        let mayContinue = state.withLock { state in
            guard !state.isCancelled else { return true }
            state.chunks.append(bytes)
            state.waitingBytes += bytes.readableBytes
            state.isFull = state.waitingBytes > Self.fullBytes
            return !state.isFull
        }
        arrival.signal()
        return mayContinue
    }

    /// Notes that all bytes have been added.
    func complete() {
        state.withLock { $0.isComplete = true }
        arrival.signal()
    }

    /// Gives the file up; nothing of it remains.
    func cancel() {
        let wasFull = state.withLock { state in
            state.isCancelled = true
            state.chunks = []
            defer { state.isFull = false }
            return state.isFull
        }
        arrival.signal()
        if wasFull { resume() }
    }

    // MARK: The blocking task

    /// The next step of the writer.
    private enum Step {
        case write(ByteBuffer)
        case end
        case cancelled
    }

    /// Waits for bytes or the end.
    private func next() -> Step {
        while true {
            let (step, wakes): (Step?, Bool) = state.withLock { state in
                if state.isCancelled { return (.cancelled, false) }
                guard !state.chunks.isEmpty else { return (state.isComplete ? .end : nil, false) }
                let chunk = state.chunks.removeFirst()
                state.waitingBytes -= chunk.readableBytes
                let wakes = state.isFull && state.waitingBytes < Self.lowBytes
                if wakes { state.isFull = false }
                return (.write(chunk), wakes)
            }
            if wakes { resume() }
            if let step { return step }
            arrival.wait()
        }
    }

    private func write(byteCount: Int?) throws(LibraryRefusal) -> Response {
        let path = target.path
        let folder = try LibraryFolder(path: target.folder).folder(path.folders)
        try checkPlace(in: folder)
        let wanted = UInt64(clamping: byteCount ?? 0)
        guard folder.freeBytes > reserveBytes, folder.freeBytes - reserveBytes >= wanted else {
            throw .noSpace
        }
        let temporary = try folder.makeTemporaryFile(for: path.name)
        var isPublished = false
        defer {
            close(temporary.file)
            if !isPublished { folder.remove(temporary.name) }
        }
        try fill(temporary.file, in: folder)
        guard fsync(temporary.file) == 0 else { throw LibraryRefusal(system: errno, path.text) }
        var members = try checkContent(folder.path(of: temporary.name))
        let isNew = target.replacedTag == nil
        try Self.naming.withLock { _ throws(LibraryRefusal) in
            try checkPlace(in: folder)
            if isNew {
                try folder.publish(temporary.name, as: path.name)
            } else {
                try folder.replace(path.name, by: temporary.name)
            }
        }
        isPublished = true
        let tag = try folder.entry(path.name)?.tag ?? ""
        members =
            [
                .init("path", .string(path.text)), .init("kind", .string(target.kind.rawValue)),
                .init("tag", .string(tag)),
            ] + members
        var response = Response.json(.object(members), isNew ? .created : .ok)
        response.headers.add(name: "ETag", value: "\"\(tag)\"")
        return response
    }

    /// Checks that the name is free, or that the file has the content that the client wants to
    /// replace.
    private func checkPlace(in folder: LibraryFolder) throws(LibraryRefusal) {
        let existing = try folder.entry(target.path.name)
        let path = target.path.text
        guard existing?.isFolder != true, existing?.isLink != true else {
            throw LibraryRefusal(.forbidden, "\"\(path)\" is a folder or a link")
        }
        switch (existing?.tag, target.replacedTag) {
        case (let tag?, nil): throw .exists(path, tag: tag)
        case (nil, _?): throw LibraryRefusal(.preconditionFailed, "\"\(path)\" does not exist")
        case (let tag?, let wanted?) where tag != wanted:
            throw LibraryRefusal(
                .preconditionFailed, "\"\(path)\" has changed meanwhile", tag: tag)
        default: break
        }
    }

    /// Writes all bytes of the client.
    private func fill(_ file: Int32, in folder: LibraryFolder) throws(LibraryRefusal) {
        var unsynced = 0
        while true {
            switch next() {
            case .end: return
            case .cancelled: throw LibraryRefusal(.requestTimeout, "the upload has ended early")
            case .write(let chunk):
                let code = chunk.withUnsafeReadableBytes { Self.writeAll($0, to: file) }
                guard code == 0 else { throw LibraryRefusal(system: code, target.path.text) }
                unsynced += chunk.readableBytes
                guard unsynced >= Self.syncBytes else { continue }
                unsynced = 0
                guard fdatasync(file) == 0 else {
                    throw LibraryRefusal(system: errno, target.path.text)
                }
                guard folder.freeBytes > reserveBytes else { throw .noSpace }
            }
        }
    }

    /// Writes bytes; returns 0, or the error number of the system.
    private static func writeAll(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int32 {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(file, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return 0
    }

    /// Checks what the file contains.
    ///
    /// - Returns: What is known about it.
    private func checkContent(_ path: String) throws(LibraryRefusal) -> [JSONValue.Member] {
        switch target.kind {
        case .model: return []
        case .sound:
            do throws(SoundFileError) {
                let reader = try SoundFileReader(path: path)
                return [
                    .init("seconds", .number(Double(reader.frameCount) / reader.sampleRate)),
                    .init("sample_rate", .number(reader.sampleRate)),
                    .init("channels", .integer(reader.channels)),
                ]
            } catch {
                throw LibraryRefusal(
                    .unsupportedMediaType,
                    "\"\(target.path.text)\" is not a sound file: \(error.reason)")
            }
        case .pipeline:
            guard let bytes = try? FileContents(path: path).bytes else {
                throw LibraryRefusal(.internalServerError, "the file cannot be read again")
            }
            let place = target.folder + (target.folder.hasSuffix("/") ? "" : "/")
            let errors = target.check(bytes, place + target.path.text)
            guard let first = errors.first else { return [] }
            throw LibraryRefusal(
                .unprocessableEntity, "the pipeline has an error: \(first.message)",
                diagnostics: errors)
        }
    }
}
