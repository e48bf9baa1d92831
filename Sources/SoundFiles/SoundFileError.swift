/// The reason why a sound file could not be read or written.
public struct SoundFileError: Error, Sendable, Equatable {
    /// The path of the file, as the caller wrote it.
    public var path: String
    /// The failed operation.
    public var operation: Operation
    /// The reason, without a full stop.
    public var reason: String

    /// An operation on a file.
    public enum Operation: String, Sendable {
        case reading = "read"
        case writing = "write"
    }

    /// Creates an error for a file.
    public init(_ path: String, _ operation: Operation, _ reason: String) {
        self.path = path
        self.operation = operation
        self.reason = reason
    }
}

extension SoundFileError: CustomStringConvertible {
    /// A sentence without a full stop: "cannot read 'voice.wav': No such file or directory".
    public var description: String { "cannot \(operation.rawValue) '\(path)': \(reason)" }
}

extension SoundFileError {
    /// Returns the error for a file that ends before its announced length.
    static func ending(_ path: String, after count: Int, of frameCount: Int) -> SoundFileError {
        SoundFileError(path, .reading, "it ends after \(count) of its \(frameCount) frames")
    }
}
