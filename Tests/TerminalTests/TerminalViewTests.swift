import Terminal
import Testing
import TestSignals

@Suite("The view in a real terminal", .serialized)
struct TerminalViewTests {
    private static let keyLine = "n/p scene"

    private func play(_ arguments: String = "", in terminal: Tmux) {
        terminal.type("\(Tmux.rehearsal) \(arguments)")
        _ = terminal.screen { $0.contains(Self.keyLine) }
    }

    @Test("sends the requests of keys, shows the results, and keeps the lines printed above")
    func keys() {
        let terminal = Tmux()
        defer { terminal.end() }
        play(in: terminal)
        terminal.press("n m Down b PPage u")
        let screen = terminal.screen { $0.contains("441.00 Hz") }
        let asked = screen.split(separator: "\n").filter { $0.hasPrefix("asked ") }
        #expect(
            asked.map { $0.split(separator: " ")[1] } == [
                "next-scene", "mute", "pitch.bypass", "previous-song", "tuner",
            ])
        #expect(screen.contains("MUTED"))
        #expect(screen.contains(">pitch yes"))
        #expect(screen.contains("tuner mic:1  A4    +3.9 ct"))
        #expect(screen.contains("CLIP"))
        // There is one view, below all printed lines.
        #expect(screen.components(of: Self.keyLine) == 1)
        terminal.press("N")
        #expect(terminal.screen { $0.contains("did you mean") }.contains("previous-song?"))
    }

    @Test("restores the terminal: echo, line mode and cursor")
    func quit() {
        let terminal = Tmux()
        defer { terminal.end() }
        play(in: terminal)
        terminal.press("q")
        let screen = terminal.screen { $0.contains("over") }
        #expect(!screen.contains(Self.keyLine))
        expectOrder(terminal)
    }

    @Test("restores the terminal when it crashes")
    func crash() {
        // Swift's runtime, which also handles crashes, would wait for a key.
        let terminal = Tmux(environment: "LC_ALL=C.UTF-8 SWIFT_BACKTRACE=interactive=no")
        defer { terminal.end() }
        play("crash", in: terminal)
        terminal.press("m")
        // The shell reports the crash too, after the runtime.
        _ = terminal.screen { $0.contains("\nAborted") }
        expectOrder(terminal)
    }

    @Test("releases the terminal at Ctrl-Z, and resumes at fg")
    func stopped() {
        let terminal = Tmux()
        defer { terminal.end() }
        terminal.type("set -m; PS1=READY:")
        play(in: terminal)
        terminal.press("C-z")
        let stopped = terminal.screen { $0.contains("Stopped") }
        #expect(!stopped.contains(Self.keyLine))
        expectOrder(terminal)
        terminal.type("fg")
        #expect(terminal.screen { $0.contains(Self.keyLine) }.contains(Self.keyLine))
        terminal.press("m")
        #expect(terminal.screen { $0.contains("MUTED") }.contains("MUTED"))
        terminal.press("q")
        // Until then, the program reads what is typed.
        #expect(terminal.screen { $0.contains("\nover") }.contains("\nover"))
        expectOrder(terminal)
    }

    @Test("fits a terminal that changes its size")
    func resized() {
        let terminal = Tmux()
        defer { terminal.end() }
        play(in: terminal)
        terminal.resize(columns: 44, rows: 20)
        let narrow = terminal.screen {
            $0.components(of: Self.keyLine) == 1 && $0.contains("? keys")
                && $0.contains("\nn/p scene   m mute   t tap   u tuner\n")
        }
        #expect(narrow.components(of: Self.keyLine) == 1)
        #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= 44 })
        terminal.resize(columns: 100, rows: 24)
        let wide = terminal.screen { $0.contains("tuner   q quit   ? keys") }
        #expect(wide.components(of: Self.keyLine) == 1)
    }

    @Test("is plain ASCII without colours on request")
    func plain() {
        let terminal = Tmux(environment: "LC_ALL=C NO_COLOR=1")
        defer { terminal.end() }
        play(in: terminal)
        let screen = terminal.screen { $0.contains("####") }
        #expect(screen.contains("####"))
        #expect(screen.allSatisfy { $0.isASCII })
    }

    @Test("does not start without a terminal, or on a dumb one")
    func none() {
        let terminal = Tmux(environment: "LC_ALL=C TERM=dumb")
        defer { terminal.end() }
        terminal.type("\(Tmux.rehearsal)")
        #expect(terminal.screen { $0.contains("no terminal") }.contains("no terminal"))
    }

    /// Expects the terminal's settings, which the shell prints, to be in order.
    private func expectOrder(_ terminal: Tmux) {
        terminal.type("stty -a | tr ' ' '+' | tr -d ';'")
        let screen = terminal.screen { $0.contains("+echo+") || $0.contains("-echo+") }
        #expect(screen.contains("+icanon+"))
        #expect(screen.contains("+echo+"))
    }
}

extension String {
    /// Returns the number of occurrences of a text.
    fileprivate func components(of text: String) -> Int {
        var (count, rest) = (0, self[...])
        while let range = rest.firstRange(of: text) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
