/// Why a sound file could not be read or written.
public struct SoundFileFault: Error, Sendable, Equatable {
    /// The file, as it was named.
    public var path: String
    /// What was being done with it.
    public var operation: Operation
    /// The reason, without its full stop.
    public var reason: String

    /// What is done with a file.
    public enum Operation: String, Sendable {
        case reading = "read"
        case writing = "write"
    }

    /// A fault of one file.
    public init(_ path: String, _ operation: Operation, _ reason: String) {
        self.path = path
        self.operation = operation
        self.reason = reason
    }
}

extension SoundFileFault: CustomStringConvertible {
    /// A sentence without its full stop: "cannot read 'voice.wav': No such file or directory".
    public var description: String { "cannot \(operation.rawValue) '\(path)': \(reason)" }
}

extension SoundFileFault {
    /// A file that promised more than it holds.
    static func ending(_ path: String, after count: Int, of frameCount: Int) -> SoundFileFault {
        SoundFileFault(path, .reading, "it ends after \(count) of its \(frameCount) frames")
    }
}
