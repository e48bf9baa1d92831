import Testing
import TestSignals

extension JackTests {
    /// `stompline prove` while a server runs.
    @Suite struct ProveProgramTests {
        private let server = ForeignServer(name: "stompline-prove")
        private let folder = ScratchFolder()

        @Test(
            "prove uses the period and the rate of the running server",
            .onJack("PipeWire has no fixed period"))
        func format() throws {
            let process = server.start(sampleRate: 44_100, blockFrames: 256)
            defer { server.end(process) }
            #expect(waitUntil { server.connections.isEmpty ? nil : true } == true)
            let gain = "{\"id\": \"a\", \"type\": \"gain\"}"
            let file = folder.write("{\"version\": 1, \"nodes\": [\(gain)]}", to: "a.json")
            let program = try Program([
                "prove", file, "--json", "--server", server.name, "--passes", "1",
                "--seconds", "0.1",
            ])
            let status = (0..<6).lazy.compactMap { _ in program.waitForStatus() }.first
            // On a machine with other work, a block may be late.
            #expect(status == 0 || status == 1)
            let report = program.output
            #expect(report.contains("\"frames\": 256,"))
            #expect(report.contains("\"rate\": 44100,"))
        }
    }
}
