import Glibc
import Testing

extension JackTests {
    /// The shipped pipelines with sources, played live by the whole program.
    @Suite struct SourceProgramTests {
        private let server = ForeignServer(name: "stompline-sources")
        private let pipelines =
            "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/pipelines/"

        /// Plays a pipeline on a server with periods of 5 ms until a line meets a condition, and
        /// ends the program in order.
        private func plays(_ name: String, until fits: (String) -> Bool) throws -> String {
            let jackd = server.start(blockFrames: 240)
            defer { server.end(jackd) }
            let started: (Program, String)? = waitUntil {
                let call = ["run", pipelines + name, "--json", "--server", server.name]
                guard let program = try? Program(call + ["--no-start-server"]),
                    let line = program.waitFor(event: "started")
                else { return nil }
                return (program, line)
            }
            let (program, line) = try #require(started)
            var times = 1
            while let status = program.waitFor(event: "status", times: times), !fits(status.line) {
                times += 1
                guard times < 20 else { break }
            }
            #expect(times < 20)
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
            return line
        }

        @Test("a voice is processed in periods of 240 frames")
        func fiveMilliseconds() throws {
            let started = try plays("voice-in-5-ms.json") { $0.contains("load_mean") }
            #expect(started.contains("\"block_frames\": 240"))
            #expect(started.contains("\"latency_frames\": 288"))
        }

        @Test("four files play together from the start")
        func fourSources() throws {
            // Silence is reported as -160 dB.
            let started = try plays("four-sources.json") {
                $0.contains("peak_db") && !$0.contains("\"peak_db\": -160")
            }
            #expect(started.contains("\"latency_frames\": 0"))
        }
    }
}
