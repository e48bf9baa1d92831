import Glibc
import Testing
import TestSessions
import TestSignals

extension JackTests {
    /// The real program, which a session manager switches from one session to another.
    @Suite struct SessionTurnTests {
        private let manager: FakeManager
        private let folder = ScratchFolder()
        private let patchbay: Patchbay
        private let program: Program
        private var errors: String { folder.file("errors") }

        init() throws {
            manager = try FakeManager()
            patchbay = try Patchbay()
            program = try Program(
                ["run", "--json", "--osc", "0"],
                by: [
                    "sh", "-c",
                    "exec env NSM_URL=\(manager.url) \"$@\" 2>\(folder.file("errors"))", "sh",
                ])
            _ = manager.receive(1)
        }

        /// Returns the folder of a session whose file connects itself to players and halves its
        /// input the given number of times.
        private func session(
            _ name: String, halvings: Int, _ values: String = "", nodes: String = ""
        ) -> String {
            let text = """
                {
                  "version": 1, "name": "\(name)",
                  "inputs": { "mic": { "connect": ["turn-hand:out"] } },
                  "outputs": { "main": { "limiter": false, "connect": ["turn-ear:in"] } },
                  "nodes": [{ "id": "lev", "type": "gain", "parameters": { "gain": \(StageFiles.half * Double(halvings)) } }\(nodes)]
                }
                """
            mkdir(folder.file(name), 0o777)
            folder.write(text, to: "\(name)/pipeline.json")
            folder.write(
                "{ \"version\": 1, \"plays\": \"pipeline.json\", \"values\": { \(values) } }",
                to: "\(name)/stompline.json")
            return folder.file(name)
        }

        /// Opens a session, and returns the program's reply.
        private func open(_ session: String, as name: String) -> String {
            manager.say("/nsm/client/open", session, "Name", name)
            return receive { $0.contains(" /nsm/client/open ") }
        }

        /// Returns the next message to the manager that meets a condition; empty if none arrives.
        private func receive(_ hasTarget: (String) -> Bool) -> String {
            while case let lines = manager.receive(1), !lines.isEmpty {
                if let line = lines.first(where: hasTarget) { return line }
            }
            return ""
        }

        private func hears(_ line: String) -> Bool { receive { $0 == line } == line }

        private func ctl(_ words: String...) throws -> String {
            try LiveProgram.ctl(
                words, port: LiveProgram.port(in: LiveProgram.text(of: errors)), folder: folder)
        }

        private func end() {
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
        }

        private static let done = "/reply /nsm/client/open done"

        @Test("it is connected and heard under the new name before it replies")
        func turn() throws {
            let (player, listener) = (try Player("turn-hand"), try Player("turn-ear"))
            let first = session("first", halvings: 0)
            let second = session(
                "second", halvings: 0, "\"lev.gain\": \(StageFiles.half), \"mute\": true")
            #expect(open(first, as: "one.nT") == Self.done)
            player.play([0.5])
            #expect(listener.waits(for: 0.5))
            _ = try (ctl("tempo", "93"), ctl("gain", "\(StageFiles.half)"))
            #expect(listener.waits(for: 0.25))
            #expect(hears("/nsm/client/is_dirty"))

            let start = listener.heardFrames
            #expect(open(second, as: "two.nT") == Self.done)
            #expect(patchbay.ports(of: "one.nT").isEmpty)
            #expect(patchbay.isConnected("turn-hand:out", "two.nT:mic"))
            #expect(patchbay.isConnected("two.nT:main", "turn-ear:in"))
            #expect(listener.waits(for: 0.125))
            // A fade of 50 ms from 0.25 changes by less per sample.
            #expect(largestStep(listener.heard[start...]) < 0.001)
            #expect(listener.heard[start...].contains(0))
            #expect(try ctl("lev.gain") == "\(StageFiles.half)")
            #expect(try ctl("tempo") == "93")
            #expect(try ctl("mute") == "false")
            #expect(program.waitFor(event: "switched")?.contains("\"client\": \"two.nT\"") == true)

            _ = try ctl("mute", "true")
            #expect(listener.waits(for: 0))
            #expect(hears("/nsm/client/is_dirty"))
            let muted = listener.heardFrames
            #expect(open(first, as: "one.nT") == Self.done)
            #expect(patchbay.ports(of: "two.nT").isEmpty)
            #expect(listener.record(9_600).allSatisfy { $0 == 0 })
            #expect(listener.heard[muted...].allSatisfy { $0 == 0 })
            _ = try ctl("mute", "false")
            #expect(listener.waits(for: 0.25))
            end()
        }

        @Test(
            "a session that cannot be played is refused with the reason, and the present one continues"
        )
        func invalid() throws {
            let (player, listener) = (try Player("turn-hand"), try Player("turn-ear"))
            let first = session("first", halvings: 0)
            let broken = session("broken", halvings: 0, nodes: ", 7")
            #expect(open(first, as: "one.nF") == Self.done)
            player.play([0.5])
            #expect(listener.waits(for: 0.5))
            let start = listener.heardFrames
            #expect(open(broken, as: "two.nF").hasPrefix("/error /nsm/client/open -1 "))
            mkdir(folder.file("part"), 0o777)
            folder.write("no session", to: "part/stompline.json")
            #expect(
                open(folder.file("part"), as: "two.nF").hasSuffix("is not a session of Stompline"))
            _ = listener.record(4_800)
            #expect(listener.heard[start...].allSatisfy { $0 == 0.5 })
            #expect(patchbay.ports(of: "two.nF").isEmpty)
            // The program still follows and saves the session's own file.
            _ = session("first", halvings: 1)
            #expect(listener.waits(for: 0.25))
            manager.say("/nsm/client/save")
            #expect(hears("/reply /nsm/client/save done"))
            end()
        }

        @Test("edits of the new session's file are followed, those of the old one's are not")
        func edits() throws {
            let (player, listener) = (try Player("turn-hand"), try Player("turn-ear"))
            let (first, second) = (session("first", halvings: 1), session("second", halvings: 2))
            #expect(open(first, as: "one.nE") == Self.done)
            #expect(open(second, as: "two.nE") == Self.done)
            player.play([0.8])
            #expect(listener.waits(for: 0.2))
            _ = session("first", halvings: 3)
            _ = listener.record(9_600)
            #expect(listener.now.isNear(0.2))
            _ = session("second", halvings: 0)
            #expect(listener.waits(for: 0.8))
            end()
        }

        @Test(
            "ten further switches leave no further threads, descriptors, children or clients",
            .onJack("PipeWire 0.3.65 sometimes ended one more take"))
        func often() throws {
            let plugin = """
                , { "id": "amp", "type": "lv2", "uri": "http://lv2plug.in/plugins/eg-amp", "isolate": true }
                """
            let take = """
                , { "id": "tape", "type": "recorder", "parameters": { "recording": true }, "settings": { "file": "take.wav" } }
                """
            let sessions = [
                session("first", halvings: 1, nodes: plugin),
                session("second", halvings: 2, nodes: take),
            ]
            for turn in 0...2 {
                try #require(open(sessions[turn % 2], as: "part\(turn % 2).nO") == Self.done)
            }
            let once = waitUntil { Belongings(of: program.process).ifSettled }
            for turn in 1...10 {
                try #require(open(sessions[turn % 2], as: "part\(turn % 2).nO") == Self.done)
                #expect(patchbay.ports(of: "part\(1 - turn % 2).nO").isEmpty)
            }
            let more = waitUntil { Belongings(of: program.process).ifSettled }
            #expect(once != nil)
            #expect(more == once)
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
            #expect(program.count(event: "take_finished") == 6)
        }

        private func largestStep(_ sound: ArraySlice<Float>) -> Float {
            zip(sound, sound.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) }
        }
    }
}

extension Float {
    fileprivate func isNear(_ value: Float) -> Bool { abs(self - value) < 1e-4 }
}
