@preconcurrency internal import Glibc
internal import Synchronization
internal import Terminal
internal import Platform

/// Reads the output of plugins and libraries to standard output and standard error, and passes it
/// on line by line.
///
/// Both descriptors write to a pipe of this process, so a plugin that prints on any thread never
/// waits for a reader. If it prints faster than this thread reads, the system refuses the excess.
final class PrintedLines: Sendable {
    private static let idleMilliseconds: Int32 = 250
    private static let longestLineBytes = 4096

    private let reading: Int32
    private let deliver: @Sendable (String) -> Void
    /// The start of an incomplete line.
    private let rest = Mutex<[UInt8]>([])

    /// Replaces both descriptors; `nil` if the system has no descriptor or thread left.
    ///
    /// - Parameters:
    ///   - errors: The original standard error, for the last output before a crash.
    ///   - deliver: Called with each line, on any thread.
    init?(errors: Int32, deliver: @escaping @Sendable (String) -> Void) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        reading = ends[0]
        self.deliver = deliver
        guard OwnThread.start(name: "printed", stack: .small, { self.work() }) else { return nil }
        LastPrints.keep(from: reading, to: errors)
        // By default the C library buffers whole pages, because the pipe is not a terminal.
        setvbuf(stdout, nil, _IOLBF, 0)
        dup2(ends[1], STDOUT_FILENO)
        dup2(ends[1], STDERR_FILENO)
        close(ends[1])
    }

    /// Passes on the output so far.
    func finish() {
        fflush(stdout)
        rest.withLock { rest in
            read(&rest)
            endLine(&rest)
        }
    }

    private func work() {
        while true {
            var wait = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            let isMidLine = rest.withLock { !$0.isEmpty }
            let count = poll(&wait, 1, isMidLine ? Self.idleMilliseconds : -1)
            rest.withLock { rest in
                if count > 0 { read(&rest) } else if count == 0 { endLine(&rest) }
            }
        }
    }

    /// Reads the pipe, and delivers complete lines.
    private func read(_ rest: inout [UInt8]) {
        var bytes = [UInt8](repeating: 0, count: Self.longestLineBytes)
        // Reads at most the capacity of a pipe, so that endless output does not block `finish`.
        for _ in 0..<16 {
            let count = Glibc.read(reading, &bytes, bytes.count)
            guard count > 0 else { return }
            for byte in bytes[..<count] {
                if byte == 0x0A || rest.count == Self.longestLineBytes { endLine(&rest) }
                if byte != 0x0A { rest.append(byte) }
            }
        }
    }

    private func endLine(_ rest: inout [UInt8]) {
        guard !rest.isEmpty else { return }
        deliver(String(decoding: rest, as: UTF8.self))
        rest.removeAll(keepingCapacity: true)
    }
}

/// Writes the last output before a crash, such as the runtime's message, to the real standard
/// error.
private enum LastPrints {
    private static let capacityBytes = 65_536
    private static let timeoutMilliseconds: Int32 = 100

    // SAFETY: allocated once and never freed; `keep` writes it before the handler that reads it is
    // installed.
    nonisolated(unsafe) private static let ends = UnsafeMutablePointer<Int32>.allocate(capacity: 2)
    // SAFETY: only the handler of a crash uses it.
    nonisolated(unsafe) private static let buffer = UnsafeMutableRawPointer.allocate(
        byteCount: capacityBytes, alignment: 1)

    /// Installs a crash handler that passes on the content of a pipe.
    static func keep(from reading: Int32, to errors: Int32) {
        ends[0] = reading
        // The file is opened again because a crash must not wait for a reader, and other programs
        // share the mode of `errors`.
        ends[1] = open("/proc/self/fd/\(errors)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        _ = buffer
        CrashActions.add {
            let count = read(LastPrints.ends[0], LastPrints.buffer, LastPrints.capacityBytes)
            if count > 0 { _ = write(LastPrints.ends[1], LastPrints.buffer, count) }
            // The handlers that follow print directly to the real standard error.
            dup2(LastPrints.ends[1], STDERR_FILENO)
            // Other threads still write the lines that were read before.
            poll(nil, 0, LastPrints.timeoutMilliseconds)
        }
    }
}
