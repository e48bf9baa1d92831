internal import Glibc
internal import Synchronization

/// Shows progress in the last line of a terminal, if standard error is a terminal.
final class ProgressLine: Sendable {
    private let label: String
    private let isShown = isatty(STDERR_FILENO) != 0
    /// The shown percentage; -1 at first.
    private let percent = Mutex(-1)

    /// Creates a line with a label.
    init(_ label: String) { self.label = label }

    /// Shows the completed share, from 0 through 1.
    func show(_ share: Double) {
        guard isShown else { return }
        let now = Int(100 * min(max(share, 0), 1))
        let isNew = percent.withLock { shown in
            defer { shown = now }
            return shown != now
        }
        if isNew { Console.progress("\(label) \(now) %") }
    }

    /// Removes the line.
    func end() {
        guard isShown, percent.withLock({ $0 }) >= 0 else { return }
        Console.progress("")
    }
}
