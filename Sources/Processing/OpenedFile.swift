internal import Glibc

/// A stamp that shows whether a file has changed.
public struct FileStamp: Hashable, Sendable, Codable {
    private let seconds: Int
    private let nanoseconds: Int
    private let device: UInt64
    private let number: UInt64
    /// The length in bytes.
    public let bytes: Int

    /// Reads the current stamp of a file; returns `nil` if the file does not exist.
    public init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    fileprivate init(_ status: stat) {
        // The type of the member belongs to a module that cannot be imported by name.
        (seconds, nanoseconds) = withUnsafeBytes(of: status.st_mtim) {
            ($0.load(as: Int.self), $0.load(fromByteOffset: 8, as: Int.self))
        }
        (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
        bytes = Int(status.st_size)
    }
}

/// A file that is open for reading, and closed with this object.
public final class OpenFile: Sendable {
    /// The descriptor, whose position nothing uses.
    public let descriptor: Int32
    /// The stamp of the file when it was opened.
    public let stamp: FileStamp

    /// Opens a file; returns `nil` if it is not a regular file that can be read.
    public init?(path: String) {
        // Opening a pipe must not wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        stamp = FileStamp(status)
    }

    deinit { close(descriptor) }
}

/// A file that a node opens when it is prepared.
public struct OpenedFile: Sendable, Codable {
    /// The path.
    public var path: String
    /// The stamp of the file before the node opened it; `nil` if it did not exist.
    public var stamp: FileStamp?
    /// The file, kept open so that its contents remain when another file takes its path.
    public var handle: OpenFile?

    private enum CodingKeys: CodingKey { case path, stamp }

    /// Notes the present state of a file.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - keepsOpen: Whether the file is kept open.
    public init(path: String, keepsOpen: Bool) {
        self.path = path
        handle = keepsOpen ? OpenFile(path: path) : nil
        stamp = handle?.stamp ?? FileStamp(path: path)
    }
}
