internal import Glibc

/// A terminal whose screen is read by the test.
public final class Pseudoterminal {
    /// The path that programs open as their terminal.
    public let path: String
    /// The programs' end.
    public let slave: Int32
    private let master: Int32
    // The C headers declare these only with `_GNU_SOURCE`.
    private static let unlock: UInt = 0x4004_5431
    private static let number: UInt = 0x8004_5430

    /// Creates a terminal.
    ///
    /// - Parameter isFull: Whether its buffer is filled, so that no byte fits until it is read.
    public init(isFull: Bool = false) {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (isLocked, number): (Int32, UInt32) = (0, 0)
        guard ioctl(master, Self.unlock, &isLocked) == 0,
            ioctl(master, Self.number, &number) == 0
        else { fatalError("the system has no terminal left") }
        path = "/dev/pts/\(number)"
        slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard isFull else { return }
        let filling = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        let filler = [UInt8](repeating: 0x78, count: 256)
        while write(filling, filler, filler.count) > 0 {}
        close(filling)
    }

    deinit {
        close(slave)
        close(master)
    }

    /// Whether the terminal echoes input, as between two programs.
    public var echoes: Bool {
        var mode = termios()
        return tcgetattr(slave, &mode) == 0 && mode.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Types a text, which programs can read from then on.
    ///
    /// - Parameter text: At most 4,000 bytes in complete lines.
    public func type(_ text: String) {
        let bytes = Array(text.utf8)
        guard write(master, bytes, bytes.count) == bytes.count else {
            fatalError("the terminal accepts no input")
        }
    }

    /// Reads the output of programs until a text arrives, for at most 10 s.
    public func read(until end: String) -> String { readText(of: master, until: end) }
}
