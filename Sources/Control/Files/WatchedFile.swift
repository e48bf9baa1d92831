internal import Glibc
internal import Platform

/// A file with known content; a change counts once it is complete.
struct WatchedFile {
    /// A change is complete if the file was not touched for this time, in seconds.
    private static let settleSeconds = 0.06
    /// The same for an empty file, in seconds: another program is probably about to write it; and
    /// for a new file, because a sound file that is being copied can be opened as a shorter one.
    private static let longSettleSeconds = 0.5
    /// The time after which a known file is read even if changes continue, in seconds.
    private static let longestSettleSeconds = 0.5
    /// The longest file to read, in bytes: 16 MiB, the limit of a pipeline file.
    ///
    /// Of a longer file, only the signature counts.
    private static let maximumBytes = 16 << 20

    let path: String
    private var signature: FileSignature?
    private var digest: UInt64?
    /// The times of the first and the last change since the last read, in seconds; `nil` without
    /// a change.
    private var pendingChange: (firstSeconds: Double, lastSeconds: Double)?
    /// Whether a writer has closed the file since its last change, as far as is known.
    private var isClosed = false

    /// Creates a watched file from the current content at a path.
    init(_ path: String) {
        self.path = path
        signature = FileSignature(path)
        digest = Self.digest(of: path)
    }

    /// Checks whether the file was touched.
    ///
    /// - Parameters:
    ///   - nowSeconds: The time.
    ///   - isClosed: Whether a writer has closed a file in one of its folders since the last check.
    mutating func look(nowSeconds: Double, isClosed: Bool = false) {
        let present = FileSignature(path)
        guard present != signature else {
            // A writer may close the file some time after its last change.
            if isClosed, pendingChange != nil { self.isClosed = true }
            return
        }
        signature = present
        self.isClosed = isClosed
        pendingChange = (pendingChange?.firstSeconds ?? nowSeconds, nowSeconds)
    }

    /// The time when the file must be read, in seconds; `nil` if it was not touched.
    var dueSeconds: Double? {
        guard let pendingChange else { return nil }
        // The file did not exist before.
        guard digest != nil else { return pendingChange.lastSeconds + Self.longSettleSeconds }
        let settle = signature?.bytes == 0 ? Self.longSettleSeconds : Self.settleSeconds
        return min(
            pendingChange.lastSeconds + settle,
            pendingChange.firstSeconds + Self.longestSettleSeconds)
    }

    /// Reads the file if that is due.
    ///
    /// - Returns: Whether its content has changed; a missing file keeps its content.
    mutating func settle(nowSeconds: Double) -> Bool {
        guard let dueSeconds else { return false }
        if nowSeconds < dueSeconds {
            guard isClosed, digest != nil else { return false }
            // Only one attempt: the next piece of an incomplete text is closed again.
            isClosed = false
            guard let bytes = Self.bytes(of: path), WholeText.isWhole(bytes) else { return false }
        }
        pendingChange = nil
        let present = Self.digest(of: path)
        // Detects changes that occur while the file is being read.
        look(nowSeconds: nowSeconds)
        guard let present, present != digest else { return false }
        digest = present
        return true
    }

    /// Returns the FNV-1a hash of all bytes, or of the signature of a long file; `nil` if the file
    /// cannot be read.
    private static func digest(of path: String) -> UInt64? {
        if let signature = FileSignature(path), signature.bytes > maximumBytes {
            return access(path, R_OK) == 0 ? signature.hash : nil
        }
        return bytes(of: path).map { ContentHash.fnv1a($0) }
    }

    /// Returns the bytes of a file, up to the limit; `nil` if it cannot be read.
    private static func bytes(of path: String) -> [UInt8]? {
        FileBytes.read(path, limit: maximumBytes)
    }
}
