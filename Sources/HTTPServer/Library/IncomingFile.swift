internal import NIOCore

/// The part of a file that has arrived at a connection.
///
/// Only the server's thread uses it.
final class IncomingFile {
    /// Whether the file counts among those that clients send at once.
    let isCounted: Bool
    private var upload: FileUpload?
    private var limit: Int?
    /// The bytes that have arrived before the file could be opened.
    private var early: [ByteBuffer] = []
    /// The number of bytes that have arrived.
    private(set) var byteCount = 0
    /// Whether all bytes have arrived.
    private(set) var isComplete = false
    /// Whether the client must wait for the disk.
    private(set) var isFull = false
    /// The response, if it is known before the end of the file.
    var response: Response?

    init(isCounted: Bool) { self.isCounted = isCounted }

    /// Passes the bytes on from now.
    ///
    /// - Parameters:
    ///   - upload: Writes them.
    ///   - limit: The largest number of bytes.
    func open(_ upload: FileUpload, limit: Int) {
        self.upload = upload
        self.limit = limit
        for bytes in early { isFull = !upload.add(bytes) }
        early = []
        if isComplete { upload.complete() }
    }

    /// Adds bytes; those of a file that is refused already are forgotten.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - most: The largest number of bytes of any file.
    /// - Returns: Whether the file is not too large.
    func add(_ bytes: ByteBuffer, most: Int) -> Bool {
        byteCount += bytes.readableBytes
        guard byteCount <= limit ?? most else { return false }
        if let upload {
            isFull = !upload.add(bytes)
        } else if response == nil {
            early.append(bytes)
        }
        return true
    }

    /// Notes that all bytes have arrived.
    func complete() {
        isComplete = true
        upload?.complete()
    }

    /// Gives up what is not written.
    func end() { upload?.cancel() }
}
