internal import Glibc
internal import Synchronization

/// How far a work is, in the last line of a terminal; nothing where standard error is none.
final class ProgressLine: Sendable {
    private let label: String
    private let isShown = isatty(STDERR_FILENO) != 0
    /// What is shown now, in percent; -1 before anything is.
    private let percent = Mutex(-1)

    /// A line that says what is worked at.
    init(_ label: String) { self.label = label }

    /// Shows how much is done, from 0 through 1.
    func show(_ share: Double) {
        guard isShown else { return }
        let now = Int(100 * min(max(share, 0), 1))
        let isNew = percent.withLock { shown in
            defer { shown = now }
            return shown != now
        }
        if isNew { Console.rewrite("\(label) \(now) %") }
    }

    /// Takes the line away.
    func end() {
        guard isShown, percent.withLock({ $0 }) >= 0 else { return }
        Console.rewrite("")
    }
}
