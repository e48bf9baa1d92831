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
    }
}
