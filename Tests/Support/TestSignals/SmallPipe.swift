internal import Glibc

/// A named pipe of 4 KiB, with which tests simulate a reader that does not read.
public final class SmallPipe {
    /// The path of the pipe.
    public let path: String
    /// The end that the test reads, in non-blocking mode.
    public private(set) var reading: Int32
    // The C headers declare these only with `_GNU_SOURCE`.
    private static let setSize: Int32 = 1031
    private static let capacityBytes = 4096

    /// Creates the pipe, and opens its reading end.
    ///
    /// - Parameters:
    ///   - path: The path of the pipe; it must not exist yet.
    ///   - isFull: Whether the pipe is filled, so that no byte fits.
    public init(at path: String, isFull: Bool = false) {
        self.path = path
        let isMade = mkfifo(path, 0o600) == 0
        reading = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        let writing = open(path, O_WRONLY | O_CLOEXEC)
        let size = fcntl(writing, Self.setSize, Int32(Self.capacityBytes))
        guard isMade, reading >= 0, writing >= 0, size == Self.capacityBytes else {
            fatalError("no small pipe can be made at \(path)")
        }
        let filler = [UInt8](repeating: 0x78, count: isFull ? Self.capacityBytes : 0)
        guard write(writing, filler, filler.count) == filler.count else {
            fatalError("the pipe at \(path) cannot be filled")
        }
        close(writing)
    }

    deinit {
        close(reading)
        unlink(path)
    }

    /// Opens the writing end, which the caller must close.
    public func openWriting() -> Int32 { open(path, O_WRONLY | O_CLOEXEC) }

    /// Closes the reading end, runs `body`, and opens the reading end again.
    public func withoutReader(_ body: () -> Void) {
        close(reading)
        body()
        reading = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    }

    /// Reads until a text arrives, for at most 10 s.
    public func read(until end: String) -> String { readText(of: reading, until: end) }
}

/// Reads a descriptor until a text arrives, for at most 10 s.
func readText(of descriptor: Int32, until end: String) -> String {
    var bytes: [UInt8] = []
    for _ in 0..<1000 {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var part = [UInt8](repeating: 0, count: 65_536)
        let count = poll(&entry, 1, 10) > 0 ? Glibc.read(descriptor, &part, part.count) : 0
        if count <= 0 { usleep(10_000) }
        bytes += part.prefix(max(0, count))
        if count > 0, String(decoding: bytes, as: UTF8.self).contains(end) { break }
    }
    return String(decoding: bytes, as: UTF8.self)
}
