internal import CRealtime
internal import Glibc
internal import Pipelines
internal import Processing
internal import Synchronization
internal import Terminal
internal import Platform

/// Writes results and errors.
///
/// Every command except `run` writes synchronously and completely. `run` writes in the background,
/// because a slow reader must not delay the session or its end. Control characters in text from
/// other sources are escaped.
enum Console {
    /// The descriptor for results.
    private static let results = Atomic<Int32>(STDOUT_FILENO)
    private static let background = Mutex<BackgroundOutput?>(nil)

    /// Reserves standard output for results: from now on the output of plugins goes to standard
    /// error.
    static func reserveOutput() {
        let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        guard output >= 0 else { return }
        results.store(output, ordering: .relaxed)
        dup2(STDERR_FILENO, STDOUT_FILENO)
    }

    /// Restores standard output for all output, such as the help.
    static func restoreOutput() {
        fflush(nil)
        let output = results.exchange(STDOUT_FILENO, ordering: .relaxed)
        if output != STDOUT_FILENO { dup2(output, STDOUT_FILENO) }
    }

    /// Writes in the background from now on, and at the end of the program for at most 0.25 s more.
    ///
    /// If the system has no thread left, output is still written synchronously.
    static func writeInBackground() {
        let output = BackgroundOutput(results: results.load(ordering: .relaxed))
        background.withLock { $0 = output }
        atexit { Console.finish(withinSeconds: 0.25) }
    }

    /// The writer of standard error, for a footer; `nil` if standard error is written
    /// synchronously.
    static var errorWriter: OutputWriter? { background.withLock { $0?.errors } }

    /// Whether standard error is a terminal that shows the characters of a QR code.
    static var canShowPictures: Bool {
        isatty(STDERR_FILENO) == 1
            && !TerminalStyle(of: STDERR_FILENO) { getenv($0).map { String(cString: $0) } }.isASCII
    }

    /// Removes the footer and waits a limited time for the background to write the remaining lines.
    static func finish(withinSeconds seconds: Double) {
        background.withLock { $0 }?.finish(
            untilNanoseconds: rt_nanoseconds() + UInt64(seconds * 1e9))
    }

    /// Writes a result to standard output, with a line break after it; it may have several lines.
    ///
    /// - Throws: `Failure` if it could not be written. A reader that has gone, as in `| head`, is
    ///   not an error.
    static func put(_ text: String) throws {
        let text = text.printableLines
        if let background = background.withLock({ $0 }) {
            return background.results.put(text, format: .json)
        }
        let reason = write(text + "\n", to: results.load(ordering: .relaxed))
        guard reason != 0, reason != EPIPE else { return }
        throw Failure(
            "cannot write to standard output: \(SystemError(reason).message)", .failedWrite)
    }

    /// Writes a result of one line to standard output: line breaks in it are escaped.
    ///
    /// - Throws: `Failure` if it could not be written.
    static func put(line: String) throws { try put(line.printable) }

    /// Writes a result to standard output as JSON.
    ///
    /// - Throws: `Failure` if it could not be written.
    static func put(_ value: JSONValue) throws { try put(value.indentedText) }

    /// Writes an error to standard error, in one line.
    static func notify(_ text: String) { putError("stompline: \(text.printable)") }

    /// Writes a text of a dialogue to standard error, without a line break after it.
    static func tell(_ text: String) { _ = write(text.printableLines, to: STDERR_FILENO) }

    /// Shows progress in one line of a terminal; an empty text removes the line.
    static func progress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        _ = write("\r\u{1B}[K\(text.printable)", to: STDERR_FILENO)
    }

    /// Shows the diagnostics of a file on standard error.
    static func show(_ diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics { putError("\(diagnostic)".printableLines) }
    }

    private static func putError(_ text: String) {
        if let background = background.withLock({ $0 }) {
            background.errors.put(text)
        } else {
            _ = write(text + "\n", to: STDERR_FILENO)
        }
    }

    /// Writes a whole text; returns the system's error number, or 0 if it was written.
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Another program that shares the descriptor has set its non-blocking mode.
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
