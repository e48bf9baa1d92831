internal import CRealtime
internal import Glibc
internal import Synchronization

/// A writer of lines to a descriptor, with its own thread.
///
/// A slow reader therefore delays no other thread.
///
/// The queue is bounded. If it is full, the oldest lines are dropped, always as a whole. As soon as
/// the reader reads again, a notice replaces them. The descriptor stays in blocking mode, because
/// other programs may share it. The program's end does not wait for the thread.
package final class OutputWriter: Sendable {
    /// The format of a line; a notice about dropped lines uses the format of those lines.
    package enum Format: Int, Sendable, CaseIterable { case text, json }

    private struct Line {
        let bytes: [UInt8]
        let format: Format
    }

    /// The thread's next piece of work, removed from the state.
    private struct Job {
        var dropped: Dropped = [:]
        var line: Line?
        /// Footers to remove from the terminal, oldest first.
        var removals: [any Footer] = []
        var footer: (any Footer)?
        /// Whether the footer is shown after the line; not if more lines follow at once.
        var showsFooter = false
    }

    /// The number of dropped lines of each format.
    private typealias Dropped = [Format: Int]

    private struct State {
        var lines: [Line] = []
        var byteCount = 0
        var dropped: Dropped = [:]
        var footer: (any Footer)?
        var removals: [any Footer] = []
        var needsFooter = false
        var isBusy = false
    }

    /// The destination of the lines.
    package let descriptor: Int32
    private let capacityBytes: Int
    private let notice: @Sendable (Int, Format) -> String
    private let state = Mutex(State())
    private let wake = Mailbox<Void>()

    /// Creates a writer whose thread lives as long as the program; `nil` without a free thread.
    ///
    /// - Parameters:
    ///   - descriptor: The destination of the lines. It must stay open.
    ///   - capacityBytes: The size of the queue in bytes; if it is full, older lines are dropped.
    ///   - notice: Returns the line, without its line break, that reports the number of dropped
    ///     lines of a format.
    package init?(
        _ descriptor: Int32, capacityBytes: Int = 0x4_0000,
        notice: @escaping @Sendable (_ lines: Int, _ format: Format) -> String
    ) {
        self.descriptor = descriptor
        self.capacityBytes = capacityBytes
        self.notice = notice
        guard OwnThread.start(name: "output", stack: .small, { self.work() }) else { return nil }
    }

    /// Queues a line and returns at once.
    ///
    /// Any thread may call it except the audio thread.
    ///
    /// - Parameters:
    ///   - line: The text without its last line break. It may contain line breaks: it is dropped as
    ///     a whole or not at all.
    ///   - format: The format of the line.
    package func put(_ line: String, format: Format = .text) {
        let line = Line(bytes: Array("\(line)\n".utf8), format: format)
        state.withLock { state in
            var excess = 0
            while excess < state.lines.count, state.byteCount + line.bytes.count > capacityBytes {
                state.byteCount -= state.lines[excess].bytes.count
                state.dropped[state.lines[excess].format, default: 0] += 1
                excess += 1
            }
            state.lines.removeFirst(excess)
            state.lines.append(line)
            state.byteCount += line.bytes.count
        }
        wake.ring()
    }

    /// Shows a footer below the lines from now on, instead of the previous one; `nil` for none.
    package func setFooter(_ footer: (any Footer)?) {
        state.withLock { state in
            if let old = state.footer { state.removals.append(old) }
            state.footer = footer
            state.needsFooter = footer != nil
        }
        wake.ring()
    }

    /// Requests that the footer is shown again, because its contents have changed.
    ///
    /// If the reader is slow, some states of the footer are never shown.
    package func refreshFooter() {
        let isNew = state.withLock { state in
            defer { state.needsFooter = state.footer != nil }
            return state.footer != nil && !state.needsFooter
        }
        if isNew { wake.ring() }
    }

    /// Waits until everything is written, or until a given time.
    ///
    /// - Parameter time: The end of the wait, in ns of the monotonic clock.
    /// - Returns: Whether everything is written.
    @discardableResult
    package func flush(untilNanoseconds time: UInt64) -> Bool {
        while true {
            let isDone = state.withLock { state in
                state.lines.isEmpty && state.removals.isEmpty && !state.needsFooter
                    && !state.isBusy
            }
            if isDone || rt_nanoseconds() >= time { return isDone }
            usleep(1000)
        }
    }

    // MARK: - The thread

    private func work() {
        var sink = Sink(descriptor: descriptor)
        while true {
            if let job = nextJob() {
                carryOut(job, into: &sink)
            } else {
                _ = wake.wait(untilNanoseconds: rt_nanoseconds() + 3_600_000_000_000)
            }
        }
    }

    private func nextJob() -> Job? {
        state.withLock { state in
            state.isBusy =
                !state.lines.isEmpty || !state.removals.isEmpty || state.needsFooter
            guard state.isBusy else { return nil }
            var job = Job(removals: state.removals, footer: state.footer)
            state.removals = []
            if !state.lines.isEmpty {
                let line = state.lines.removeFirst()
                state.byteCount -= line.bytes.count
                (job.line, job.dropped) = (line, state.dropped)
                state.dropped = [:]
            }
            job.showsFooter = state.lines.isEmpty
            if job.showsFooter { state.needsFooter = false }
            return job
        }
    }

    private func carryOut(_ job: Job, into sink: inout Sink) {
        for footer in job.removals { sink.writeCodes(footer.removing()) }
        if let footer = job.footer { sink.writeCodes(footer.clearing()) }
        if let line = job.line { write(line, after: job.dropped, into: &sink) }
        if job.showsFooter, let footer = job.footer { sink.writeCodes(footer.showing()) }
    }

    /// Writes a line, preceded by the notices about dropped lines.
    ///
    /// Lines that cannot be written, for example to a full disk, count as dropped.
    private func write(_ line: Line, after dropped: Dropped, into sink: inout Sink) {
        var lost: Dropped = [:]
        for format in Format.allCases {
            guard let count = dropped[format] else { continue }
            if !sink.writeLine(Array("\(notice(count, format))\n".utf8)) { lost[format] = count }
        }
        if !sink.writeLine(line.bytes) { lost[line.format, default: 0] += 1 }
        guard !lost.isEmpty else { return }
        state.withLock { $0.dropped.merge(lost, uniquingKeysWith: +) }
    }
}

/// A descriptor, and whether the last line on it is incomplete.
///
/// Only the writer's thread uses it.
private struct Sink {
    let descriptor: Int32
    private var isMidLine = false

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Writes a line with its line break; returns whether it is complete.
    ///
    /// Ends an incomplete line before it.
    mutating func writeLine(_ bytes: [UInt8]) -> Bool {
        if isMidLine, write([0x0A]) != 1 { return false }
        let count = write(bytes)
        isMidLine = count > 0 && count < bytes.count
        return count == bytes.count
    }

    /// Writes codes for a terminal.
    ///
    /// If they do not arrive, the next ones correct that.
    func writeCodes(_ codes: String) { _ = write(Array(codes.utf8)) }

    /// Writes bytes, even if the reader blocks; returns the number that the system accepted.
    private func write(_ bytes: [UInt8]) -> Int {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done)
            }
            if count >= 0 {
                done += count
            } else if errno == EAGAIN {
                waitUntilWritable()
            } else if errno != EINTR {
                break
            }
        }
        return done
    }

    /// Waits for the reader if another program has set the descriptor to non-blocking mode.
    private func waitUntilWritable() {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, -1)
        // A terminal may be writable and still have no room.
        usleep(1000)
    }
}
