internal import Glibc
internal import JackHost
internal import Show
internal import Terminal

/// Tells people and machines how a session fares.
///
/// Lines go to standard error; where that is a terminal, a status line stays below them, or the terminal view. With JSON
/// every event goes to standard output as well, and there is neither.
final class RunReport {
    private let json: Bool
    private let hasStatusLine: Bool
    private var clientName = ""
    private var statusText = ""
    private var view: TerminalView?

    init(json: Bool) {
        self.json = json
        hasStatusLine = !json && isatty(STDERR_FILENO) != 0
    }

    /// The time between two statuses: twelve a second for eyes, one a second for machines.
    var statusSeconds: Double { hasStatusLine ? 1.0 / 12 : 1 }

    /// Puts the terminal view in the place of the status line, where there would be one and the terminal is wide enough.
    ///
    /// - Parameters:
    ///   - programme: What there is to choose from.
    ///   - desk: What the keys work on.
    ///   - quit: What the key `q` does, on a thread of the view's own.
    /// - Returns: The view, for what a session does not tell; nil where there is none.
    @discardableResult
    func show(
        _ programme: Programme, on desk: any Desk, quit: @escaping @Sendable () -> Void
    ) -> TerminalView? {
        guard hasStatusLine, TerminalView.isPossible else { return nil }
        let view = TerminalView(programme, desk: desk, quit: quit)
        self.view = view
        view.begin()
        return view
    }

    /// Takes the terminal view away.
    func end() {
        view?.end()
        view = nil
    }

    /// Tells of one event.
    func tell(_ event: SessionEvent) {
        view?.take(event)
        if json {
            // A reader that has gone does not end the music.
            try? Console.put(EventJSON.line(for: event))
        }
        if case .started(let start) = event { clientName = start.clientName }
        if case .ended = event {
            statusText = ""
            end()
        }
        if let line = EventText.line(for: event) { put(line) }
        if hasStatusLine, view == nil, case .status(let status) = event { show(status) }
    }

    /// Puts a line above the status line.
    private func put(_ line: String) {
        if let view { return view.put { Console.complain(line) } }
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
