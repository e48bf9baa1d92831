@preconcurrency internal import Glibc
internal import Synchronization
internal import Terminal
internal import Platform

/// Reads the output of plugins and libraries to standard output and standard error, and passes it
/// on line by line, with the name of the plugin.
///
/// Both descriptors write to a pipe of this process, so a plugin that prints on any thread never
/// waits for a reader. If it prints faster than this thread reads, the system refuses the excess.
/// While `PrintSource` names a plugin, the lines are its own; otherwise their origin is not known.
final class PrintedLines: Sendable {
    private struct State {
        var splitter = LineSplitter()
        /// The plugin whose code runs now; `nil` if none is known.
        var plugin: String?
    }

    private static let idleMilliseconds: Int32 = 250
    private static let pieceBytes = 4096
    /// The origin of lines that no known plugin prints.
    private static let unknownOrigin = "a plugin or library"

    private let reading: Int32
    private let deliver: @Sendable (String) -> Void
    private let state = Mutex(State())

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
        LineBuffering.begin()
        dup2(ends[1], STDOUT_FILENO)
        dup2(ends[1], STDERR_FILENO)
        close(ends[1])
        PrintSource.set(
            PrintSource.Follower(
                follow: { self.follow($0) }, deliver: { deliver(Self.line($0, of: $1)) }))
    }

    /// Returns a line with its origin, unless it begins with it.
    private static func line(_ text: String, of plugin: String?) -> String {
        let start = (plugin ?? unknownOrigin) + ": "
        return text.hasPrefix(start) ? text : start + text
    }

    /// Passes on the output so far.
    func finish() {
        fflush(stdout)
        state.withLock { readAll(&$0) }
    }

    /// Passes on the output so far, which belongs to the previous plugin.
    private func follow(_ plugin: String?) {
        state.withLock { state in
            readAll(&state)
            state.plugin = plugin
        }
    }

    private func work() {
        while true {
            var wait = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            let isMidLine = state.withLock(\.splitter.isMidLine)
            let count = poll(&wait, 1, isMidLine ? Self.idleMilliseconds : -1)
            state.withLock { state in
                if count > 0 { read(&state) } else if count == 0 { end(&state) }
            }
        }
    }

    /// Reads the pipe, and delivers all lines, including an incomplete one.
    private func readAll(_ state: inout State) {
        read(&state)
        end(&state)
    }

    /// Reads the pipe, and delivers complete lines.
    private func read(_ state: inout State) {
        let plugin = state.plugin
        var bytes = [UInt8](repeating: 0, count: Self.pieceBytes)
        // Reads at most the capacity of a pipe, so that endless output does not block `finish`.
        for _ in 0..<16 {
            let count = Glibc.read(reading, &bytes, bytes.count)
            guard count > 0 else { return }
            state.splitter.add(bytes[..<count]) { deliver(Self.line($0, of: plugin)) }
        }
    }

    private func end(_ state: inout State) {
        let plugin = state.plugin
        state.splitter.end { deliver(Self.line($0, of: plugin)) }
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
        // If it is a file on a disk, the output must not replace the beginning of the file.
        let again = open(
            "/proc/self/fd/\(errors)",
            O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        ends[1] = again >= 0 ? again : errors
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
