import Glibc
import Testing
import TestSignals

extension JackTests {
    /// Takes that other programs control, with the whole program on both sides.
    @Suite struct RemoteTakeTests {
        private let folder = ScratchFolder()

        @Test("ctl cannot start a recorder with `remote` off, but it can start another one")
        func refused() throws {
            let file = folder.write(
                """
                {"version": 1, "nodes": [
                  {"id": "own", "type": "recorder",
                   "settings": {"file": "takes/own.wav", "remote": false}},
                  {"id": "open", "type": "recorder", "settings": {"file": "takes/open.wav"}}]}
                """, to: "show.json")
            let port = "\(20_000 + getpid() % 10_000)"
            let server = TestServer.startable("stompline-remote")
            let program = try Program(
                ["run", file, "--json", "--server", server, "--osc", port])
            #expect(program.waitFor(event: "started") != nil)
            let refusal = try Program(["ctl", "own.recording", "true", "--port", port])
            #expect(refusal.waitForStatus() == 64)
            let order = try Program(["ctl", "open.recording", "true", "--port", port])
            #expect(order.waitForStatus() == 0)
            #expect(
                program.waitFor(event: "take_started", times: 1)?.line.contains("\"open\"") == true)
            let statuses = program.count(event: "status")
            #expect(program.waitFor(event: "status", times: statuses + 2) != nil)
            #expect(program.count(event: "take_started") == 1)
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
        }
    }
}
