internal import Glibc
internal import Pipelines
internal import Synchronization

/// Where results and complaints go.
enum Console {
    /// Where results go.
    private static let results = Atomic<Int32>(STDOUT_FILENO)

    /// Keeps standard output for results: what plugins print goes to standard error from here on.
    static func keepOutputForResults() {
        let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        guard output >= 0 else { return }
        results.store(output, ordering: .relaxed)
        dup2(STDERR_FILENO, STDOUT_FILENO)
    }

    /// Gives standard output back to everything that prints, as help does.
    static func giveOutputBack() {
        fflush(nil)
        let output = results.exchange(STDOUT_FILENO, ordering: .relaxed)
        if output != STDOUT_FILENO { dup2(output, STDOUT_FILENO) }
    }

    /// Puts a result on standard output, with a line break after it.
    ///
    /// - Throws: `Failure` where it could not be written. A reader that has gone, as in `| head`, is no fault.
    static func put(_ text: String) throws {
        let reason = write(text + "\n", to: results.load(ordering: .relaxed))
        guard reason != 0, reason != EPIPE else { return }
        let words = strerror(reason).map { String(cString: $0) } ?? "error \(reason)"
        throw Failure("cannot write to standard output: \(words)", .failedWrite)
    }

    /// Puts a result on standard output as JSON.
    ///
    /// - Throws: `Failure` where it could not be written.
    static func put(_ value: JSONValue) throws { try put(value.indentedText) }

    /// Says on standard error what is wrong.
    static func complain(_ text: String) { _ = write("stompline: \(text)\n", to: STDERR_FILENO) }

    /// Shows on a terminal how far something has come, in place of what was shown before; empty for the end.
    static func progress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        _ = write("\r\u{1B}[K\(text)", to: STDERR_FILENO)
    }

    /// Shows a file's faults on standard error.
    static func show(_ diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics { _ = write("\(diagnostic)\n", to: STDERR_FILENO) }
    }

    /// Writes all of a text; returns the system's error number, 0 where it was written.
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return errno }
            rest = rest.dropFirst(max(0, count))
        }
        return 0
    }
}
