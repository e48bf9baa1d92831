import Testing
import TestSignals

extension JackTests {
    /// The real program in a real terminal.
    @Suite struct ViewOfProgramTests {
        private let folder = ScratchFolder()

        @Test("its meters move, and its keys select scenes, mute, bypass, silence and end it")
        func keys() throws {
            let file = folder.write(StageFiles.scenes, to: "p.json")
            let patchbay = try Patchbay()
            let terminal = Tmux(columns: 100, rows: 30)
            defer { terminal.end() }
            terminal.type(
                "\(builtProgram("stompline")) run \(file) --name View --server \(TestServer.shared.name)"
            )
            #expect(patchbay.waits(port: "View:main"))
            #expect(shows("n/p scene", terminal))
            // Its first picture can show that the scene is about to begin.
            #expect(shows("scene loud", terminal))
            let (player, listener) = (try Player("view-hand"), try Player("view-ear"))
            patchbay.connect("view-hand:out", "View:mic")
            patchbay.connect("View:main", "view-ear:in")
            player.play([0.5])
            #expect(listener.waits(for: 0.5))
            // The peak and RMS of both meters.
            #expect(shows("-6.0   -6.0", terminal))
            terminal.press("n")
            #expect(listener.waits(for: 0.25))
            #expect(shows("scene soft", terminal))
            #expect(shows("-12.0  -12.0", terminal))
            terminal.press("p")
            #expect(listener.waits(for: 0.5))
            terminal.press("n m")
            #expect(listener.waits(for: 0, within: 0))
            #expect(shows("MUTED", terminal))
            terminal.press("m Down b")
            #expect(listener.waits(for: 0.5))
            #expect(shows("lev yes", terminal))
            terminal.press("!")
            #expect(shows("panic: silenced all outputs", terminal))
            terminal.press("q")
            #expect(shows("highest peak", terminal))
            #expect(patchbay.waits(port: "View:main", exists: false))
        }

        private func shows(_ text: String, _ terminal: Tmux) -> Bool {
            terminal.screen { $0.contains(text) }.contains(text)
        }
    }
}
