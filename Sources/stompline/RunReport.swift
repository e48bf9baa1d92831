internal import Glibc
internal import JackHost
internal import Pipelines
internal import Show
internal import Synchronization
internal import Terminal

/// Tells people and machines how a session fares.
///
/// Lines go to standard error; where that is a terminal, a status line stays below them, or the terminal view. With JSON
/// every event goes to standard output as well, and there is neither.
final class RunReport: Sendable {
    private let json: Bool
    private let hasStatusLine: Bool
    private let state = Mutex(State())

    private struct State {
        var clientName = ""
        var statusText = ""
        var view: TerminalView?
    }

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
    func show(
        _ programme: Programme, on desk: any Desk, quit: @escaping @Sendable () -> Void
    ) -> TerminalView? {
        guard hasStatusLine, TerminalView.isPossible else { return nil }
        let view = TerminalView(programme, desk: desk, quit: quit)
        state.withLock { $0.view = view }
        view.begin()
        return view
    }

    /// Takes the terminal view away.
    func end() {
        let view = state.withLock { state in
            defer { state.view = nil }
            return state.view
        }
        view?.end()
    }

    /// Tells of one event.
    func tell(_ event: SessionEvent) {
        let view = state.withLock(\.view)
        view?.take(event)
        if json {
            // A reader that has gone does not end the music.
            try? Console.put(EventJSON.line(for: event))
        }
        if case .started(let start) = event {
            state.withLock { $0.clientName = start.clientName }
        }
        if case .switched(let name, _) = event { state.withLock { $0.clientName = name } }
        if case .ended = event {
            state.withLock { $0.statusText = "" }
            end()
        }
        if let line = EventText.line(for: event) { complain(line) }
        guard hasStatusLine, case .status(let status) = event else { return }
        if let view {
            view.take(
                status.nodes.map { NodeLoad(node: $0.node, mean: $0.mean, worst: $0.worst) })
        } else {
            show(status)
        }
    }

    /// Shows what is wrong with a file.
    func show(_ diagnostics: [Diagnostic]) { put { Console.show(diagnostics) } }

    /// Warns of plugins in whose code an earlier run ended.
    func warn(of songs: [Song]) {
        put { for song in songs { CrashWarning.show(for: song.pipeline) } }
    }

    /// Tells of something that went wrong.
    func complain(_ line: String) { put { Console.complain(line) } }

    /// Has lines printed above the status line, or the view.
    private func put(_ print: () -> Void) {
        if let view = state.withLock(\.view) { return view.put(print) }
        state.withLock { state in
            if hasStatusLine { Console.rewrite("") }
            print()
            if hasStatusLine { Console.rewrite(state.statusText) }
        }
    }

    private func show(_ status: SessionStatus) {
        state.withLock { state in
            let line = StatusLine(name: state.clientName, widthCharacters: terminalWidth())
            let old = state.statusText
            state.statusText = line.text(status)
            Console.rewrite(
                state.statusText, over: old.count, widthCharacters: terminalWidth())
        }
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
