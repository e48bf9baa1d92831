internal import Platform
public import SessionCore

/// Writes the state of a session to its resume file on a separate thread, because a disk can be
/// slow.
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
    ///   - warn: Called once, on the thread, with the reason why the file cannot be written.
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

    private static func run(
        _ mailbox: Mailbox<Message>, _ file: ResumeFile, _ warn: @Sendable (String) -> Void
    ) {
        var written: SessionSnapshot?
        var hasWarned = false
        var isOver = false
        while !isOver {
            var newest: SessionSnapshot?
            for message in mailbox.wait(untilNanoseconds: .max) {
                switch message {
                case .write(let snapshot): newest = snapshot
                case .end: isOver = true
                }
            }
            guard let newest, newest != written else { continue }
            do throws(SessionFileError) {
                try file.write(newest)
                written = newest
            } catch {
                if !hasWarned { warn("the state for --resume is not saved: \(error)") }
                hasWarned = true
            }
        }
    }
}
