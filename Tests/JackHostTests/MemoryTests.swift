import Glibc
import Testing
import TestSignals

extension JackTests {
    /// The whole program with a memory limit.
    @Suite struct MemoryTests {
        private let folder = ScratchFolder()
        private let server = TestServer.startable("stompline-memory")

        private func write(delays: Int) {
            let nodes = (0..<delays).map {
                "{\"id\": \"d\($0)\", \"type\": \"delay\", \"mix\": 0, \"settings\": {\"maximum\": 60}}"
            }
            let gain = "{\"id\": \"a\", \"type\": \"gain\"}"
            folder.write(
                """
                {"version": 1, "nodes": [\(([gain] + nodes).joined(separator: ", "))]}
                """, to: "show.json")
        }

        @Test(
            "an edit with 600 long delays is refused with its size, and the corrected file is played"
        )
        func largeEdit() throws {
            write(delays: 0)
            let program = try Program(
                ["run", folder.file("show.json"), "--json", "--server", server],
                by: ["prlimit", "--as=4294967296"])
            #expect(program.waitFor(event: "started") != nil)
            write(delays: 600)
            let refusal = program.waitFor(event: "preparation_failed", times: 1)?.line
            #expect(
                refusal?.contains("the edit needs 13.8 GB of memory, but only ") == true,
                "\(refusal ?? "nothing was refused")")
            #expect(refusal?.contains("d0 (23 MB)") == true)
            let statuses = program.count(event: "status")
            #expect(program.waitFor(event: "status", times: statuses + 2) != nil)
            #expect(program.status == nil)
            write(delays: 1)
            #expect(program.waitFor(text: "{\"id\": \"d0\", \"load_mean\"") == true)
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
            #expect(program.count(event: "preparation_failed") == 1)
        }
    }
}
