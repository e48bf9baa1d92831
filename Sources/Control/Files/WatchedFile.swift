/// A file whose content is known, and whose changes are waited for until they are whole.
struct WatchedFile {
    /// A file that was not touched for so long is whole, in seconds.
    static let settleSeconds = 0.06
    /// An empty one is probably about to be written.
    static let emptySettleSeconds = 0.5
    /// What never comes to rest is looked at all the same.
    static let longestSettleSeconds = 0.5
    /// The longest file that is read: 16 MiB, as long as a pipeline may be.
    private static let mostBytes = 16 << 20

    let path: String
    private var signature: FileSignature?
    private var digest: UInt64?
    private var unrest: (firstSeconds: Double, lastSeconds: Double)?

    /// A file with the content that it has now.
    init(_ path: String) {
        self.path = path
        signature = FileSignature(path)
        digest = Self.digest(of: path)
    }

    /// Looks whether the file was touched.
    mutating func look(nowSeconds: Double) {
        let present = FileSignature(path)
        guard present != signature else { return }
        signature = present
        unrest = (unrest?.firstSeconds ?? nowSeconds, nowSeconds)
    }

    /// When it is to be read, in seconds; nil where it is at rest.
    var dueSeconds: Double? {
        guard let unrest else { return nil }
        let settle = signature?.bytes == 0 ? Self.emptySettleSeconds : Self.settleSeconds
        return min(unrest.lastSeconds + settle, unrest.firstSeconds + Self.longestSettleSeconds)
    }

    /// Reads the file when that is due.
    ///
    /// - Returns: Whether its content is another one than before; a file that is away keeps the one that it had.
    mutating func settle(nowSeconds: Double) -> Bool {
        guard let dueSeconds, nowSeconds >= dueSeconds else { return false }
        unrest = nil
        let present = Self.digest(of: path)
        // What was written while it was read is looked at again.
        look(nowSeconds: nowSeconds)
        guard let present, present != digest else { return false }
        digest = present
        return true
    }

    /// FNV-1a of all its bytes; nil where it cannot be read.
    private static func digest(of path: String) -> UInt64? {
        FileBytes.read(path, limit: mostBytes)?.reduce(0xcbf2_9ce4_8422_2325) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
    }
}
