import Glibc
import Testing
import TestSessions
import TestSignals

extension JackTests {
    /// The real program in a session of a manager whose messages the test sends.
    @Suite struct ManagedProgramTests {
        private let manager: FakeManager
        private let folder = ScratchFolder()
        private let patchbay: Patchbay

        init() throws {
            manager = try FakeManager()
            patchbay = try Patchbay()
        }

        private func start(_ arguments: String...) throws -> Program {
            try Program(arguments, by: ["env", "NSM_URL=\(manager.url)"])
        }

        /// Makes a session's folder.
        private func session(
            _ name: String, plays file: String, _ values: String
        ) -> String {
            mkdir(folder.file(name), 0o777)
            folder.write(
                "{ \"version\": 1, \"plays\": \"\(file)\", \"values\": { \(values) } }",
                to: "\(name)/stompline.json")
            return folder.file(name)
        }

        @Test("started by name alone, it joins the session, which gives it its JACK name")
        func join() throws {
            let program = try start()
            let announcement = manager.receive(1)
            #expect(
                announcement == [
                    "/nsm/server/announce Stompline :dirty:switch: stompline 1 2 \(program.process)"
                ])
            #expect(patchbay.ports(of: "stompline.*").isEmpty)
            manager.say("/reply", "/nsm/server/announce", "hi", "Fake", "")
            manager.say("/nsm/client/open", folder.file("part"), "Voice", "stompline.nXYZ")
            #expect(manager.receive(1) == ["/reply /nsm/client/open done"])
            #expect(patchbay.waits(port: "stompline.nXYZ:in_1"))
            #expect(LiveProgram.text(of: folder.file("part/pipeline.json")).contains("\"level\""))
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
        }

        @Test("it saves values, and reports whether there are unsaved ones")
        func save() throws {
            let file = folder.write(StageFiles.scenes, to: "p.json")
            let program = try start("run", file, "--osc", "0")
            _ = manager.receive(1)
            manager.say("/nsm/client/open", folder.file("part"), "Voice", "stompline.nSAVE")
            #expect(manager.receive(1) == ["/reply /nsm/client/open done"])
            let player = try Player("save-hand")
            patchbay.connect("save-hand:keys", "stompline.nSAVE:control")
            #expect(patchbay.waits("save-hand:keys", "stompline.nSAVE:control"))
            // PipeWire reports a connection some cycles before anything passes through it.
            _ = player.record(9_600)
            player.send(0xC0, 1)
            #expect(manager.receive(1) == ["/nsm/client/is_dirty"])
            manager.say("/nsm/client/save")
            #expect(manager.receive(2) == ["/reply /nsm/client/save done", "/nsm/client/is_clean"])
            let saved = LiveProgram.text(of: folder.file("part/stompline.json"))
            #expect(saved.contains("\"plays\": \"\(file)\""))
            #expect(saved.contains("\"scene\": \"soft\""))
            #expect(saved.contains("\"lev.gain\": \(StageFiles.half)"))
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
        }

        @Test(
            "values return in their own song, and the program switches to another session of its name"
        )
        func change() throws {
            folder.write(StageFiles.level(0), to: "one.json")
            folder.write(StageFiles.level(-40), to: "two.json")
            let night = folder.write(
                """
                { "version": 1, "setlist": "Night", "songs": [{ "pipeline": "one.json" }, { "pipeline": "two.json" }] }
                """, to: "night.json")
            let line = folder.write(StageFiles.line, to: "line.json")
            let first = session(
                "first", plays: night,
                "\"song\": \"two\", \"lev.gain\": \(StageFiles.half), \"gone.mix\": 1")
            let second = session("second", plays: line, "\"line.time\": 0.25, \"lev.gain\": 0")
            let program = try start("run")
            _ = manager.receive(1)
            manager.say("/nsm/client/open", first, "First", "stompline.nGO")
            #expect(manager.receive(1) == ["/reply /nsm/client/open done"])
            let (player, listener) = (try Player("go-hand"), try Player("go-ear"))
            patchbay.connect("go-hand:out", "stompline.nGO:mic")
            patchbay.connect("stompline.nGO:main", "go-ear:in")
            player.play([0.5])
            #expect(listener.waits(for: 0.25))

            manager.say("/nsm/client/open", second, "Second", "stompline.nGO")
            #expect(manager.receive(1) == ["/reply /nsm/client/open done"])
            #expect(listener.waits(for: 0.5))
            manager.say("/nsm/client/save")
            #expect(manager.receive(1)[0] == "/reply /nsm/client/save done")
            let saved = LiveProgram.text(of: "\(second)/stompline.json")
            #expect(saved.contains("\"line.time\": 0.25"))
            #expect(LiveProgram.text(of: "\(first)/stompline.json").contains("\"gone.mix\": 1"))

            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
        }

        @Test("a session whose file cannot be played is reported to the manager")
        func broken() throws {
            let file = folder.write("{ \"version\": 2 }", to: "p.json")
            let program = try start("run", file)
            _ = manager.receive(1)
            manager.say("/nsm/client/open", folder.file("part"), "Voice", "stompline.nBAD")
            let reason = "/error /nsm/client/open -1 \(file) cannot be played"
            #expect(manager.receive(1)[0].hasPrefix(reason))
            #expect(program.waitForStatus() == 65)
        }
    }
}
