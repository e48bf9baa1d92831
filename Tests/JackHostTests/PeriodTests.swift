import Glibc
import Testing
import TestSignals

extension JackTests {
    /// `run --period` on JACK's own server.
    @Suite struct PeriodTests {
        private let server = ForeignServer(name: "stompline-period")
        private let folder = ScratchFolder()

        @Test(
            "the server gets another period, also when it returns, and keeps it",
            .onJack("PipeWire keeps a period only while the program runs"))
        func period() throws {
            var process = server.start(blockFrames: 256)
            defer { server.end(process) }
            let gain = "{\"id\": \"a\", \"type\": \"gain\"}"
            let file = folder.write("{\"version\": 1, \"nodes\": [\(gain)]}", to: "a.json")
            func start(periodFrames: Int?) -> Program? {
                let period = periodFrames.map { ["--period", "\($0)"] } ?? []
                return waitUntil {
                    let program = try? Program(
                        ["run", file, "--json", "--server", server.name, "--no-start-server"]
                            + period)
                    return program?.waitFor(event: "started") == nil ? nil : program
                }
            }
            let program = try #require(start(periodFrames: 128))
            let first = program.waitFor(event: "started")
            #expect(first?.contains("\"block_frames\": 128") == true)
            server.kill(process)
            #expect(program.waitFor(event: "server_lost") != nil)
            process = server.start(blockFrames: 256)
            let back = program.waitFor(event: "server_back")
            #expect(back?.contains("\"block_frames\": 128") == true)
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
            // The server keeps the period.
            let next = try #require(start(periodFrames: nil))
            #expect(next.waitFor(event: "started")?.contains("\"block_frames\": 128") == true)
            kill(next.process, SIGTERM)
            #expect(next.waitForStatus() == 0)
        }
    }
}
