internal import Glibc
internal import Show
internal import Synchronization

// The view's own thread.
extension TerminalView {
    /// Reads keys as they come, and paints a dozen times a second.
    func look() {
        var reader = KeyReader()
        while !screen.withLock({ $0.isOver }) {
            askForValues()
            for wish in keys(&reader).compactMap({ key in known.withLock { $0.state.press(key) } })
            {
                grant(wish)
            }
            if stops.wasAsked {
                screen.withLock { Self.leave(&$0) }
                stops.stop()
            }
            screen.withLock { screen in
                takeTerminal(&screen)
                paint(on: &screen)
            }
        }
    }

    /// Takes the terminal as soon as it is this program's; who has had it meanwhile has put its settings in order.
    private func takeTerminal(_ screen: inout Screen) {
        screen.isAway = !stops.isForeground
        if screen.isAway {
            KeyMode.forget()
        } else if listensToKeys, !screen.isOver {
            KeyMode.enter()
        }
    }

    /// The keys that come until the next look.
    private func keys(_ reader: inout KeyReader) -> [Key] {
        guard listensToKeys, stops.isForeground else { return waited() }
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&input, 1, Self.lookMilliseconds) > 0 else { return reader.rest() }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        // A terminal that has gone is always ready.
        return count > 0 ? reader.keys(bytes.prefix(count)) : waited()
    }

    private func waited() -> [Key] {
        usleep(UInt32(Self.lookMilliseconds) * 1000)
        return []
    }

    private func askForValues() {
        let isDue = known.withLock { known in
            defer { known.needsValues = false }
            return known.needsValues
        }
        if isDue { ask(.dump) }
    }

    private func grant(_ wish: Wish) {
        switch wish {
        case .quit: quit()
        case .request(let request): ask(request)
        }
    }

    private func ask(_ request: Request) {
        desk?.ask(request) { [weak self] answer in
            self?.known.withLock { $0.state.take(answer) }
        }
    }

    func paint(on screen: inout Screen) {
        guard !screen.isOver, !screen.isAway else { return }
        let state = known.withLock { $0.state }
        let style = Self.style
        Self.write(
            screen.repainter.show(ViewPage(state: state, style: style).lines, style: style))
    }

    static func leave(_ screen: inout Screen) {
        write(screen.repainter.clear(style: style))
        KeyMode.leave()
    }

    static var style: TerminalStyle {
        TerminalStyle(of: STDERR_FILENO, environment: TerminalStyle.variable)
    }

    static func write(_ text: String) {
        let bytes = Array(text.utf8)
        // What cannot be shown is shown anew in a moment.
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
