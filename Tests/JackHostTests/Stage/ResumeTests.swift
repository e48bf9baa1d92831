import Glibc
import Testing
import TestSignals

extension JackTests {
    /// Runs that continue where an earlier one ended or died.
    @Suite struct ResumeTests {
        private let folder = ScratchFolder()
        private let file: String
        private static let scenes =
            ", \"scenes\": { \"full\": {}, \"soft\": { \"lev.gain\": \(StageFiles.half) } }"

        init() {
            folder.write(StageFiles.level(0), to: "one.json")
            folder.write(StageFiles.level(0, Self.scenes), to: "two.json")
            file = folder.write(
                """
                { "version": 1, "setlist": "Night",
                  "songs": [{ "pipeline": "one.json" }, { "name": "Two", "pipeline": "two.json" }] }
                """, to: "night.json")
        }

        /// Starts the program with its state in the folder, and waits until it plays.
        private func start(_ name: String, _ options: String...) throws -> Program {
            let program = try Program(
                ["run", file, "--json", "--name", name, "--server", TestServer.shared.name]
                    + ["--osc", "0"] + options,
                by: [
                    "env", "XDG_STATE_HOME=\(folder.path)", "sh", "-c",
                    "exec \"$@\" 2>\(folder.file("errors"))", "sh",
                ])
            try #require(program.waitFor(event: "started") != nil)
            return program
        }

        private func ctl(_ words: String...) throws -> String {
            let port = LiveProgram.port(in: LiveProgram.text(of: folder.file("errors")))
            return try LiveProgram.ctl(words, port: port, folder: folder)
        }

        /// The text of the only state file; empty without a file.
        private var state: String {
            let path = folder.file("stompline/resume")
            let names = ScratchFolder.names(in: path).filter { $0.hasSuffix(".json") }
            return names.first.map { LiveProgram.text(of: "\(path)/\($0)") } ?? ""
        }

        private func waitForState(_ parts: String...) -> Bool {
            waitUntil { parts.allSatisfy(state.contains) ? true : nil } ?? false
        }

        private func expectState(of name: String) throws {
            #expect(try ctl("song") == "Two")
            #expect(try ctl("scene") == "soft")
            #expect(try ctl("lev.pan") == "0.5")
            #expect(try ctl("gain") == "-3")
            #expect(try ctl("tempo") == "90")
        }

        @Test("a killed run continues with its song, scene, values and master section")
        func killed() throws {
            let program = try start("Resume")
            #expect(try ctl("song", "Two") == "Two")
            _ = try ctl("scene", "soft")
            _ = try ctl("lev.pan", "0.5")
            _ = try ctl("gain", "-3")
            _ = try ctl("tempo", "90")
            #expect(
                waitForState(
                    "\"song\": \"Two\"", "\"scene\": \"soft\"", "\"lev.pan\": 0.5", "\"gain\": -3",
                    "\"tempo\": 90"))
            kill(program.process, SIGKILL)
            #expect(program.waitForStatus() == 128 + SIGKILL)
            let second = try start("Resume", "--resume")
            try expectState(of: "Resume")
            // A change right before the end is saved too.
            _ = try ctl("lev.mute", "true")
            kill(second.process, SIGTERM)
            #expect(second.waitForStatus() == 0)
            #expect(state.contains("\"lev.mute\": true"))
            let third = try start("Resume", "--resume")
            try expectState(of: "Resume")
            #expect(try ctl("lev.mute") == "true")
            kill(third.process, SIGTERM)
            #expect(third.waitForStatus() == 0)
        }

        @Test("without --resume, a run begins as its file says; --song overrides the saved song")
        func overridden() throws {
            let program = try start("Anew")
            #expect(try ctl("song", "Two") == "Two")
            _ = try ctl("gain", "-3")
            #expect(waitForState("\"song\": \"Two\"", "\"gain\": -3"))
            kill(program.process, SIGKILL)
            _ = program.waitForStatus()
            let second = try start("Anew", "--resume", "--song", "one")
            #expect(try ctl("song") == "one")
            #expect(try ctl("gain") == "-3")
            kill(second.process, SIGTERM)
            #expect(second.waitForStatus() == 0)
            let third = try start("Anew")
            #expect(try ctl("song") == "one")
            #expect(try ctl("gain") == "0")
            kill(third.process, SIGTERM)
            #expect(third.waitForStatus() == 0)
        }

        @Test("a missing or damaged state is reported, and the run begins as its file says")
        func damaged() throws {
            let program = try start("Damaged", "--resume")
            #expect(
                LiveProgram.text(of: folder.file("errors"))
                    .contains("there is no earlier run to resume"))
            #expect(waitForState("\"song\": \"one\""))
            kill(program.process, SIGKILL)
            _ = program.waitForStatus()
            let path = folder.file("stompline/resume")
            for name in ScratchFolder.names(in: path) {
                folder.write("{ \"song\": \"Tw", to: "stompline/resume/\(name)")
            }
            let second = try start("Damaged", "--resume")
            #expect(LiveProgram.text(of: folder.file("errors")).contains("is damaged"))
            #expect(try ctl("song") == "one")
            kill(second.process, SIGTERM)
            #expect(second.waitForStatus() == 0)
        }
    }
}
