internal import Glibc
internal import Platform

/// The file in the user's state folder with the paired devices; all runs of the user share it.
///
/// Only the user can read it, and it contains no key. Each change is a transaction: it locks the
/// file, reads it, and replaces it.
public struct RemotesFile: Sendable {
    /// The path of the file.
    public let path: String

    /// The longest file, in bytes.
    private static let maximumBytes = 1 << 20

    /// Creates the description of the user's file; `nil` without a home.
    public init?() {
        guard let folder = UserFolder.state else { return nil }
        self.init(path: "\(folder)/remotes.json")
    }

    /// Creates the description of a file at a path.
    package init(path: String) { self.path = path }

    /// Reads the file; a file that does not exist has no devices.
    ///
    /// - Throws: `RemotesFileError`.
    public func read() throws(RemotesFileError) -> Remotes {
        guard access(path, F_OK) == 0 || errno != ENOENT else { return Remotes() }
        guard let bytes = FileBytes.read(path, limit: Self.maximumBytes) else {
            throw RemotesFileError("\(path) cannot be read")
        }
        guard let remotes = Remotes(parsing: bytes) else {
            throw RemotesFileError("\(path) is damaged; remove it, and pair all devices again")
        }
        return remotes
    }

    /// Changes the file, and waits for other programs that change it.
    ///
    /// - Parameter body: The change.
    /// - Returns: The new content.
    /// - Throws: `RemotesFileError`; the file is then as it was before.
    @discardableResult
    public func change(
        _ body: (inout Remotes) -> Void
    ) throws(RemotesFileError) -> Remotes {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        guard UserFolder.make(folder) else { throw failure("the folder of \(path)") }
        let lock = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw failure("\(path).lock") }
        // The lock ends with the descriptor.
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure("\(path).lock") }
        }
        var remotes = try read()
        remotes.removeOldOffers(nowSeconds: Int(time(nil)))
        body(&remotes)
        guard FileBytes.replace(path, with: Array(remotes.text.utf8), isPrivate: true) else {
            throw failure(path)
        }
        return remotes
    }

    /// Stores a new offer for the servers that run.
    ///
    /// - Parameters:
    ///   - permit: The rights that the device gets.
    ///   - isRunning: Returns whether a process runs.
    /// - Returns: The invitation; `nil` if no server runs.
    /// - Throws: `RemotesFileError`.
    public func invite(
        _ permit: Permit, isRunning: (Int) -> Bool
    ) throws(RemotesFileError) -> PairingInvitation? {
        let servers = try read().servers.filter { isRunning($0.process) }
        guard let url = servers.last?.urls.first else { return nil }
        let (offer, code) = PairingOffer.make(permit, nowSeconds: Int(time(nil)))
        try change { $0.add(offer) }
        return PairingInvitation(code, for: permit, url: url)
    }

    private func failure(_ name: String) -> RemotesFileError {
        RemotesFileError("\(name) cannot be written: \(SystemError.last.message)")
    }
}

/// The reason why the file of remotes cannot be read or written.
public struct RemotesFileError: Error, Sendable, CustomStringConvertible {
    /// A sentence without its full stop.
    public let description: String

    init(_ description: String) { self.description = description }
}
