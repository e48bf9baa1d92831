internal import Glibc
internal import JackHost

/// Tells people and machines how a session fares.
///
/// Lines go to standard error; where that is a terminal, a status line stays below them. With JSON every event goes to
/// standard output as well, and there is no status line.
final class RunReport {
    private let json: Bool
    private let hasStatusLine: Bool
    private var clientName = ""
    private var statusText = ""

    init(json: Bool) {
        self.json = json
        hasStatusLine = !json && isatty(STDERR_FILENO) != 0
    }

    /// The time between two statuses: twelve a second for eyes, one a second for machines.
    var statusSeconds: Double { hasStatusLine ? 1.0 / 12 : 1 }

    /// Tells of one event.
    func tell(_ event: SessionEvent) {
        if json {
            // A reader that has gone does not end the music.
            try? Console.put(EventJSON.line(for: event))
        }
        if case .started(let start) = event { clientName = start.clientName }
        if case .ended = event { statusText = "" }
        if let line = EventText.line(for: event) { put(line) }
        if hasStatusLine, case .status(let status) = event { show(status) }
    }

    /// Puts a line above the status line.
    private func put(_ line: String) {
        if hasStatusLine { Console.rewrite("") }
        Console.complain(line)
        if hasStatusLine { Console.rewrite(statusText) }
    }

    private func show(_ status: SessionStatus) {
        let line = StatusLine(name: clientName, widthCharacters: terminalWidth())
        let old = statusText
        statusText = line.text(status)
        Console.rewrite(statusText, over: old.count, widthCharacters: terminalWidth())
    }

    private func terminalWidth() -> Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}

extension Console {
    /// Puts a text in the place of the line that the cursor of the terminal is in.
    ///
    /// - Parameters:
    ///   - text: The new line.
    ///   - old: Characters of the line before: a terminal that has got narrower since has broken it into several.
    ///   - widthCharacters: The terminal's width.
    static func rewrite(_ text: String, over old: Int = 0, widthCharacters: Int = .max) {
        let brokenLines = max(0, old - 1) / max(1, widthCharacters)
        let start = brokenLines > 0 ? "\u{1b}[\(brokenLines)A\r\u{1b}[J" : "\r"
        let bytes = Array("\(start)\(text)\u{1b}[K".utf8)
        // What cannot be shown is shown anew in a moment.
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
