internal import Glibc
public import JackHost
public import Show
internal import Synchronization
internal import Threads

/// A view of what plays, a few lines at the end of a terminal, and its keys.
///
/// It shows on standard error what the desk and the session tell, and asks the desk for what the keys say. The lines that are
/// printed meanwhile go through `put`, and stay above it.
public final class TerminalView: Sendable {
    /// What is to be shown; never held for long, for those who tell it have other things to do.
    struct Known {
        var state: ViewState
        /// Whether the values of all addresses have to be asked for.
        var needsValues = true
    }

    /// What is shown; held while the terminal takes its time.
    struct Screen {
        var repainter = Repainter()
        var isOver = false
        /// Whether the terminal is another job's at present, as far as is known.
        var isAway = true
    }

    let known: Mutex<Known>
    let screen = Mutex(Screen())
    let desk: (any Desk)?
    let quit: @Sendable () -> Void
    let stops = StopRequests()
    /// Whether there is somebody to press keys, and something for them to do.
    let listensToKeys: Bool

    /// From one look to the next, in ms.
    static let lookMilliseconds: Int32 = 83

    /// Whether standard error is a terminal that can show it.
    public static var isPossible: Bool {
        let terminal = TerminalStyle.variable("TERM") ?? ""
        return isatty(STDERR_FILENO) == 1 && terminal != "dumb" && !terminal.isEmpty
            && style.columns >= TerminalStyle.leastColumns
    }

    /// A view that is shown from `begin` on.
    ///
    /// - Parameters:
    ///   - programme: What there is to choose from.
    ///   - desk: What the keys work on; without one there are none.
    ///   - quit: What the key `q` does, on the view's own thread.
    public init(
        _ programme: Programme, desk: (any Desk)?, quit: @escaping @Sendable () -> Void
    ) {
        listensToKeys = desk != nil && isatty(STDIN_FILENO) == 1
        var state = ViewState(programme)
        state.hasKeys = listensToKeys
        known = Mutex(Known(state: state))
        self.desk = desk
        self.quit = quit
    }

    /// Shows it, listens to the desk and to the keys, on a thread of its own, until `end`.
    public func begin() {
        desk?.listen { [weak self] notice in self?.take(notice) }
        if listensToKeys {
            KeyMode.leaveAtEnd()
            stops.begin()
        }
        // Without a thread it stays dark, and the music plays.
        OwnThread.start(name: "view") { self.look() }
    }

    /// Takes it off the terminal, which is then as it was before.
    public func end() {
        desk?.listen(nil)
        screen.withLock { screen in
            screen.isOver = true
            Self.leave(&screen)
        }
    }

    /// Gives the terminal back without another word, before the program is ended by force.
    public static func giveBack() { KeyMode.leave() }

    /// Has a line printed above it, by a function that ends the line.
    public func put(_ print: () -> Void) {
        screen.withLock { screen in
            Self.write(screen.repainter.clear(style: Self.style))
            print()
            paint(on: &screen)
        }
    }

    /// Takes what the session tells.
    public func take(_ event: SessionEvent) { known.withLock { $0.state.take(event) } }

    /// Takes what the nodes cost.
    public func take(_ loads: [NodeLoad]) { known.withLock { $0.state.take(loads) } }

    /// Takes another choice of songs, scenes and inputs.
    public func take(_ programme: Programme) {
        known.withLock { known in
            known.state.take(programme)
            known.needsValues = true
        }
    }

    private func take(_ notice: Notice) {
        known.withLock { known in
            known.state.take(notice)
            if notice == .structure { known.needsValues = true }
        }
    }
}
