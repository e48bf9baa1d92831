internal import Control
internal import Glibc
internal import HTTPServer
internal import Pipelines
internal import SessionCore
internal import SessionTexts
internal import Synchronization
internal import Terminal
internal import Platform

/// Reports the events of a session to people and machines.
///
/// Lines go to standard error; if that is a terminal, the terminal view or a status line remains
/// below them. With JSON, events go to standard output as well, and neither is shown. Nothing here
/// waits for a reader.
final class RunReport: Sendable {
    private let json: Bool
    /// The terminal that a view or a status line is shown on; `nil` without one.
    private let terminal: OutputWriter?
    private let statusLine: StatusFooter?
    private let view = Mutex<TerminalView?>(nil)

    /// Creates a report.
    ///
    /// - Parameter json: Whether events go to standard output as JSON.
    init(json: Bool) {
        self.json = json
        terminal = Console.errorWriter.flatMap {
            !json && isatty($0.descriptor) != 0 ? $0 : nil
        }
        statusLine = terminal.map { StatusFooter(on: $0.descriptor) }
        terminal?.setFooter(statusLine)
    }

    /// The time between two statuses: a twelfth of a second for a terminal, a second for machines.
    var statusSeconds: Double { terminal != nil ? 1.0 / 12 : 1 }

    /// Shows the terminal view instead of the status line, if there is a terminal that is wide
    /// enough.
    ///
    /// - Parameters:
    ///   - overview: The songs, scenes and inputs to choose from at first.
    ///   - control: The session that the view shows and controls.
    ///   - pair: The action of the key `r`, called on the view's thread; `nil` if other machines
    ///     cannot reach the session.
    ///   - quit: The action of the key `q`, called on the view's thread.
    func showView(
        _ overview: SessionOverview, control: any SessionControl,
        pair: (@Sendable () -> Void)?, quit: @escaping @Sendable () -> Void
    ) {
        guard let terminal, TerminalView.isPossible(on: terminal) else { return }
        let view = TerminalView(
            overview, control: control, output: terminal, pair: pair, quit: quit)
        self.view.withLock { $0 = view }
        view.begin()
    }

    /// Removes the terminal view or the status line.
    func end() {
        let view = view.withLock { view in
            defer { view = nil }
            return view
        }
        view?.end()
        terminal?.setFooter(nil)
    }

    /// Reports an event.
    func receive(_ event: SessionEvent) {
        if json, let line = EventJSON.line(for: event) {
            // Output in the background throws no errors. Otherwise, if the reader of standard
            // output is closed, the session must not end.
            try? Console.put(line)
        }
        switch event {
        case .started(let start): statusLine?.setClientName(start.clientName)
        case .switched(let name, _): statusLine?.setClientName(name)
        case .status(let status): show(status)
        case .ended: end()
        default: break
        }
        if let line = EventText.line(for: event) { notify(line) }
        for line in EventText.details(of: event) { notify(line) }
    }

    /// Reports a notice of the page's server.
    func receive(_ notice: ServerNotice) {
        // If the reader of standard output is closed, the session must not end.
        if json { try? Console.put(notice.line) }
        notify(notice.text)
        if Console.canShowPictures { for line in notice.picture { notify(line) } }
    }

    /// Reports a notice about the session that this one follows.
    func receive(_ notice: FollowNotice) {
        if json { try? Console.put(notice.json.text) }
        notify(notice.text)
    }

    /// Reports a notice about a bridge.
    func receive(_ notice: BridgeNotice) {
        if json { try? Console.put(notice.json.text) }
        notify(notice.text)
    }

    /// Shows the errors of a file.
    func show(_ diagnostics: [Diagnostic]) { Console.show(diagnostics) }

    /// Warns about plugins in whose code an earlier run crashed or was killed, and about connection
    /// rules of songs that have no effect.
    func warn(of songs: SongCollection) {
        for song in songs.songs { CrashWarning.show(for: song.pipeline) }
        let ignored = songs.ignoredConnections
        if !ignored.isEmpty { show(ignored.map(\.diagnostic)) }
    }

    /// Warns about OSC senders without access.
    func warn(of strangers: OSCWarning) {
        if json { try? Console.put(strangers.json.text) }
        notify("\(strangers)")
    }

    /// Reports an error.
    func notify(_ line: String) { Console.notify(line) }

    private func show(_ status: SessionStatus) {
        guard view.withLock({ $0 == nil }) else { return }
        statusLine?.setStatus(status)
        terminal?.refreshFooter()
    }
}
