internal import Glibc
internal import Pipelines

/// Where results and complaints go.
enum Console {
    /// Puts a result on standard output, with a line break after it.
    static func put(_ text: String) { fputs(text + "\n", stdout) }

    /// Puts a result on standard output as JSON.
    static func put(_ value: JSONValue) { put(value.indentedText) }

    /// Says on standard error what is wrong.
    static func complain(_ text: String) {
        fflush(stdout)
        fputs("stompline: \(text)\n", stderr)
    }

    /// Shows a file's faults on standard error.
    static func show(_ diagnostics: [Diagnostic]) {
        fflush(stdout)
        for diagnostic in diagnostics { fputs("\(diagnostic)\n", stderr) }
    }

    /// Brings out what is still buffered.
    ///
    /// - Throws: `Failure` where it could not be written. A reader that has gone ends the program before, quietly, by SIGPIPE.
    static func finish() throws {
        guard fflush(stdout) == 0, ferror(stdout) == 0 else {
            let reason = strerror(errno).map { String(cString: $0) } ?? "unknown reason"
            throw Failure("cannot write to standard output: \(reason)", .failedWrite)
        }
    }
}
