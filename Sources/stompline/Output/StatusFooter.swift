internal import Glibc
internal import SessionCore
internal import SessionTexts
internal import Synchronization
internal import Platform

/// The status line below all printed lines, for terminals that cannot show the terminal view.
final class StatusFooter: Footer {
    private struct State {
        var clientName = ""
        var status: SessionStatus?
        /// The number of characters of the shown line; 0 without a line.
        var shownCount = 0
    }

    private let descriptor: Int32
    private let state = Mutex(State())

    /// Creates a status line without content.
    ///
    /// - Parameter descriptor: The terminal.
    init(on descriptor: Int32) { self.descriptor = descriptor }

    /// Sets the name of the JACK client, which comes first in the line.
    func setClientName(_ name: String) { state.withLock { $0.clientName = name } }

    /// Sets the status that is shown next.
    func setStatus(_ status: SessionStatus) { state.withLock { $0.status = status } }

    func clearing() -> String {
        state.withLock { state in
            guard state.shownCount > 0 else { return "" }
            // A terminal that has become narrower has wrapped the line.
            let brokenLines = (state.shownCount - 1) / max(1, widthCharacters)
            state.shownCount = 0
            return (brokenLines > 0 ? "\u{1B}[\(brokenLines)A" : "") + "\r\u{1B}[J"
        }
    }

    func showing() -> String {
        state.withLock { state in
            guard let status = state.status else { return "" }
            let line = StatusLine(name: state.clientName, widthCharacters: widthCharacters)
            let text = line.text(status)
            state.shownCount = text.count
            return text
        }
    }

    private var widthCharacters: Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
