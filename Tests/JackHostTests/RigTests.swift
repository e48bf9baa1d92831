import Glibc
import JackHost
import Testing
import TestSignals

extension JackTests {
    /// Sessions on several machines, all of which are this one.
    @Suite struct RigTests {
        private let folder = ScratchFolder()

        private func play(_ text: String, _ options: String...) throws -> Program {
            let file = folder.write(text, to: "rig.json")
            let program = try Program(
                ["run", file, "--json", "--server", TestServer.shared.name] + options)
            try #require(program.waitFor(event: "started") != nil)
            return program
        }

        private func end(_ program: Program) {
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
        }

        @Test("a file does not follow another session without permission")
        func followNeedsPermission() throws {
            let text = #"{"version": 1, "name": "Rig", "follow": "osc://127.0.0.1:9"}"#
            let allowed = try play(text, "--allow-network", "--allow-private")
            #expect(allowed.waitFor(event: "follow")?.contains("\"state\": \"lost\"") == true)
            end(allowed)
            let halfAllowed = try play(text, "--allow-network")
            #expect(halfAllowed.waitFor(event: "status") != nil)
            #expect(halfAllowed.count(event: "follow") == 0)
            end(halfAllowed)
            let byOption = try play(#"{"version": 1}"#, "--follow", "osc://127.0.0.1:9")
            #expect(byOption.waitFor(event: "follow") != nil)
            end(byOption)
        }

        @Test("a file starts no bridge without permission")
        func bridgesNeedPermission() throws {
            let text = #"""
                {"version": 1, "name": "Rig",
                 "bridges": [{"program": "zita-n2j", "port": 30991, "name": "far", "channels": 1}]}
                """#
            let program = try play(text, "--allow-network")
            #expect(program.waitFor(event: "status") != nil)
            #expect(program.count(event: "bridge") == 0)
            end(program)
        }

        @Test("a bridge that ends is started again, and all end with the program")
        func restart() throws {
            let marks = folder.file("marks")
            let script = folder.write(
                "#!/bin/sh\necho $$ >>\(marks)\nexec sleep 1000\n", to: "bridge.sh")
            chmod(script, 0o755)
            let program = try play(#"{"version": 1, "name": "Rig"}"#, "--bridge", script)
            #expect(program.waitFor(event: "bridge")?.contains("\"state\": \"started\"") == true)
            let first = try #require(waitUntil { pids(in: marks).first })
            kill(first, SIGKILL)
            #expect(program.waitFor(text: "\"state\": \"ended\"") == true)
            let second = try #require(waitUntil { pids(in: marks).dropFirst().first })
            #expect(kill(second, 0) == 0)
            end(program)
            #expect(kill(second, 0) != 0)
        }

        @Test("a bridge that is not installed is named")
        func missing() throws {
            let program = try play(#"{"version": 1}"#, "--bridge", "no-such-bridge 1 2")
            let line = program.waitFor(event: "bridge")
            #expect(line?.contains("no-such-bridge is not installed") == true)
            end(program)
        }

        @Test("an edit of the file starts and ends bridges")
        func edit() throws {
            let program = try play(
                #"{"version": 1, "name": "Rig"}"#, "--allow-network", "--allow-private")
            folder.write(
                #"""
                {"version": 1, "name": "Rig",
                 "bridges": [{"program": "zita-n2j", "port": 30992, "name": "far", "channels": 1}]}
                """#, to: "rig.json")
            // Without zita-njbridge, the bridge is impossible; with it, it starts.
            #expect(program.waitFor(event: "bridge") != nil)
            end(program)
        }

        /// Returns the numbers in a file, one per line.
        private func pids(in path: String) -> [pid_t] {
            guard let file = fopen(path, "r") else { return [] }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = fread(&bytes, 1, bytes.count, file)
            return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
                .compactMap { pid_t($0) }
        }
    }
}
