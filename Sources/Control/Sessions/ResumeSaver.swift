internal import CRealtime
internal import Platform
public import SessionCore

/// Writes the state of a session to its resume file on a separate thread, because a disk can be
/// slow.
///
/// While another run of the same file writes there, the state waits; when that run has ended, it is
/// written.
public final class ResumeSaver: Sendable {
    /// A message to the writing thread.
    private enum Message: Sendable {
        case write(SessionSnapshot)
        case end
    }

    private let mailbox: Mailbox<Message>
    private let thread: OwnThread?

    /// The longest wait for the disk at the end, in seconds.
    private static let timeoutSeconds: Int32 = 2

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - file: The file to write.
    ///   - warn: Called on the thread with the reason why the file is not written, once for each
    ///     reason.
    public init(_ file: ResumeFile, warn: @escaping @Sendable (String) -> Void) {
        let mailbox = Mailbox<Message>()
        self.mailbox = mailbox
        thread = OwnThread(name: "resume", stack: .small) {
            file.prune()
            Self.run(mailbox, file, warn)
        }
    }

    /// Writes the newest state, and ends the thread.
    deinit {
        mailbox.post(.end)
        _ = thread?.join(withinSeconds: Self.timeoutSeconds)
    }

    /// Saves a state soon, from any thread; a newer one replaces it.
    public func save(_ snapshot: SessionSnapshot) { mailbox.post(.write(snapshot)) }

    /// The time between two attempts to lock the file, in ns.
    private static let retryNanoseconds: UInt64 = 1_000_000_000

    private static func run(
        _ mailbox: Mailbox<Message>, _ file: ResumeFile, _ warn: @Sendable (String) -> Void
    ) {
        var writer = Writer(file: file)
        var newest: SessionSnapshot?
        var isOver = false
        while !isOver {
            let isWaiting = newest != nil
            let due = isWaiting ? rt_nanoseconds() + retryNanoseconds : .max
            for message in mailbox.wait(untilNanoseconds: due) {
                switch message {
                case .write(let snapshot): newest = snapshot
                case .end: isOver = true
                }
            }
            if let snapshot = newest, writer.write(snapshot, warn) { newest = nil }
        }
    }

    /// The state of the writing thread.
    private struct Writer {
        let file: ResumeFile
        var lock: ResumeLock?
        var written: SessionSnapshot?
        var hasWarned = false
        var hasWarnedOfRun = false

        /// Writes a state.
        ///
        /// - Returns: Whether it is done; `false` while another run writes the file.
        mutating func write(
            _ snapshot: SessionSnapshot, _ warn: (String) -> Void
        ) -> Bool {
            guard snapshot != written else { return true }
            do throws(SessionFileError) {
                try file.makeFolder()
                if lock == nil { lock = ResumeLock(file) }
                guard lock != nil else {
                    if !hasWarnedOfRun {
                        warn(
                            "another run of this file saves its state for --resume; the state of this "
                                + "run is saved when that one has ended")
                    }
                    hasWarnedOfRun = true
                    return false
                }
                try file.write(snapshot)
                written = snapshot
            } catch {
                if !hasWarned { warn("the state for --resume is not saved: \(error)") }
                hasWarned = true
            }
            return true
        }
    }
}
