internal import Glibc
internal import Pipelines
internal import SessionTexts
internal import Processing
internal import Platform

/// Standard output and standard error, written on separate threads.
struct BackgroundOutput: Sendable {
    /// Writes results, one line of JSON each.
    let results: OutputWriter
    /// Writes lines for people.
    let errors: OutputWriter
    /// Reads the output of plugins and libraries; `nil` if they print directly to standard error.
    private let printed: PrintedLines?

    /// Starts to write in the background; `nil` if the system has no thread left.
    ///
    /// - Parameter output: The descriptor for results.
    init?(results output: Int32) {
        let copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        let descriptor = copy >= 0 ? copy : STDERR_FILENO
        guard let errors = OutputWriter(descriptor, notice: Self.notice) else { return nil }
        self.errors = errors
        // Two threads that write to one pipe would mix their lines.
        if Self.isSameFile(output, descriptor) {
            results = errors
        } else {
            guard let writer = OutputWriter(output, notice: Self.notice) else { return nil }
            results = writer
        }
        printed =
            copy >= 0 ? PrintedLines(errors: copy) { errors.put($0.printable) } : nil
    }

    /// Removes the footer and writes the remaining lines, but not beyond a time of the monotonic
    /// clock, in ns.
    func finish(untilNanoseconds time: UInt64) {
        printed?.finish()
        errors.setFooter(nil)
        errors.flush(untilNanoseconds: time)
        results.flush(untilNanoseconds: time)
    }

    /// Returns the line that replaces dropped lines.
    private static func notice(lines: Int, format: OutputWriter.Format) -> String {
        switch format {
        case .json:
            return EventName.dropped.object(.integer(lines)).text
        case .text:
            return
                "stompline: \(lines) \(lines == 1 ? "line was" : "lines were") dropped because nobody read the output"
        }
    }

    private static func isSameFile(_ first: Int32, _ second: Int32) -> Bool {
        var (one, other) = (stat(), stat())
        return fstat(first, &one) == 0 && fstat(second, &other) == 0
            && one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }
}
