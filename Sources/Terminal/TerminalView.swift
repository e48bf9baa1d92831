internal import CRealtime
internal import Glibc
package import SessionCore
internal import Synchronization
package import Platform

/// A view of the session, a few lines at the end of a terminal, and its keys.
///
/// It shows the events of the session, and sends requests to the session when keys are pressed. It
/// is a footer of the terminal's writer: printed lines remain above it, and a terminal that is not
/// read delays nothing.
///
/// Three threads use it: the session's thread brings events, the view's thread reads keys, and the
/// writer's thread composes the lines.
public final class TerminalView: Sendable {
    /// The shown state; locked only for a moment, because the session's thread must not wait.
    private struct Known {
        var state: ViewState
        /// Whether the values of all addresses have to be read.
        var needsValues = true
    }

    /// The state of the terminal; locked to compose lines, never while they are written.
    private struct Screen {
        var repainter = Repainter()
        var isOver = false
        /// Whether the terminal belongs to another job, as far as is known.
        var isAway = true
    }

    /// The interval at which keys are read and the view is repainted, in ms.
    private static let intervalMilliseconds: Int32 = 83
    /// The time that the terminal may need to show the last lines before the program stops.
    private static let stopNanoseconds: UInt64 = 250_000_000

    private let known: Mutex<Known>
    private let screen = Mutex(Screen())
    private let control: (any SessionControl)?
    private let quit: @Sendable () -> Void
    private let pair: (@Sendable () -> Void)?
    private let output: OutputWriter
    private let stops: SuspendRequests
    /// Whether keys are read: there is a session to control, and standard input is a terminal.
    private let listensToKeys: Bool

    /// Returns whether a writer writes to a terminal that can show the view.
    package static func isPossible(on output: OutputWriter) -> Bool {
        let terminal = TerminalStyle.variable("TERM") ?? ""
        return isatty(output.descriptor) == 1 && terminal != "dumb" && !terminal.isEmpty
            && style(of: output).columns >= TerminalStyle.minimumColumns
    }

    /// Creates a view, which is shown from `begin` on.
    ///
    /// - Parameters:
    ///   - overview: The songs, scenes and inputs to choose from at first.
    ///   - control: The session; without one there are no keys.
    ///   - output: The terminal's writer, whose footer the view becomes.
    ///   - pair: The action of the key `r`, called on the view's thread; `nil` if other machines
    ///     cannot reach the session.
    ///   - quit: The action of the key `q`, called on the view's thread.
    package init(
        _ overview: SessionOverview, control: (any SessionControl)?, output: OutputWriter,
        pair: (@Sendable () -> Void)? = nil, quit: @escaping @Sendable () -> Void
    ) {
        self.output = output
        stops = SuspendRequests(in: output.descriptor)
        listensToKeys = control != nil && isatty(STDIN_FILENO) == 1
        known = Mutex(
            Known(state: ViewState(overview, hasKeys: listensToKeys, canPair: pair != nil)))
        self.control = control
        self.quit = quit
        self.pair = pair
    }

    /// Shows the view, follows the session, and reads keys on a separate thread, until `end`.
    public func begin() {
        control?.watch { [weak self] event in self?.receive(event) }
        if listensToKeys {
            KeyMode.leaveAtEnd(terminal: output.descriptor)
            stops.begin()
        }
        output.setFooter(self)
        // Without a thread there is no view, but the session plays.
        OwnThread.start(name: "view") { self.look() }
    }

    /// Removes the view.
    ///
    /// The terminal is as before as soon as the writer has written everything.
    public func end() {
        control?.watch(nil)
        screen.withLock { screen in
            screen.isOver = true
            KeyMode.leave()
        }
        output.setFooter(nil)
    }

    /// Restores the terminal at once, before the program is ended by force.
    public static func restoreTerminal() { KeyMode.leave() }

    private func receive(_ event: SessionEvent) {
        known.withLock { known in
            known.state.receive(event)
            switch event {
            case .addressesChanged, .overviewChanged: known.needsValues = true
            default: break
            }
        }
    }

    // MARK: The view's thread

    /// Reads keys as they arrive, and repaints a dozen times per second.
    private func look() {
        var reader = KeyReader()
        while !screen.withLock({ $0.isOver }) {
            requestValues()
            for key in keys(&reader) {
                if let action = known.withLock({ $0.state.press(key) }) { perform(action) }
            }
            if stops.wasRequested { stop() }
            screen.withLock { enterKeyMode(&$0) }
            output.refreshFooter()
        }
    }

    /// Restores the terminal, and stops the program until it is continued.
    private func stop() {
        screen.withLock { screen in
            screen.isAway = true
            KeyMode.leave()
        }
        output.setFooter(nil)
        // A terminal that is not read does not keep the program from stopping.
        output.flush(untilNanoseconds: rt_nanoseconds() + Self.stopNanoseconds)
        stops.stop()
        output.setFooter(self)
    }

    /// Enters key mode as soon as the terminal is this program's; another job has restored its
    /// settings meanwhile.
    private func enterKeyMode(_ screen: inout Screen) {
        screen.isAway = !stops.isForeground
        if screen.isAway {
            KeyMode.forget()
        } else if listensToKeys, !screen.isOver {
            KeyMode.enter()
        }
    }

    /// Returns the keys that arrive until the next repaint.
    private func keys(_ reader: inout KeyReader) -> [Key] {
        guard listensToKeys, stops.isForeground else { return noKeys() }
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&input, 1, Self.intervalMilliseconds) > 0 else { return reader.rest() }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        // A terminal that was closed is always ready.
        return count > 0 ? reader.keys(bytes.prefix(count)) : noKeys()
    }

    private func noKeys() -> [Key] {
        usleep(UInt32(Self.intervalMilliseconds) * 1000)
        return []
    }

    private func requestValues() {
        let isDue = known.withLock { known in
            defer { known.needsValues = false }
            return known.needsValues
        }
        guard isDue else { return }
        ask(.dump)
        ask(.reports)
    }

    private func perform(_ action: KeyAction) {
        switch action {
        case .quit: quit()
        case .pair: pair?()
        case .request(let request): ask(request, isOfKey: true)
        }
    }

    private func ask(_ request: SessionRequest, isOfKey: Bool = false) {
        control?.ask(request) { [weak self] answer in
            self?.known.withLock { $0.state.receive(answer, to: isOfKey ? request : nil) }
        }
    }

    private static func style(of output: OutputWriter) -> TerminalStyle {
        TerminalStyle(of: output.descriptor, environment: TerminalStyle.variable)
    }
}

extension TerminalView: Footer {
    package func clearing() -> String {
        screen.withLock { $0.repainter.clear(style: Self.style(of: output)) }
    }

    package func showing() -> String {
        screen.withLock { screen in
            guard !screen.isOver, !screen.isAway else { return "" }
            let style = Self.style(of: output)
            let page = ViewPage(state: known.withLock { $0.state }, style: style)
            let lines = screen.repainter.show(page.lines, style: style)
            return listensToKeys ? KeyMode.hiddenCursor + lines : lines
        }
    }

    package func removing() -> String {
        listensToKeys ? clearing() + KeyMode.shownCursor : clearing()
    }
}
