import Glibc
import Pipelines
import TestPages
import TestSignals
import Testing

extension JackTests {
    /// The page of the running program.
    @Suite struct PageProgramTests {
        private let folder = ScratchFolder()
        private let server = ForeignServer(name: "stompline-return")
        private let song = """
            {"version": 1, "name": "Web", "inputs": {"mic": {"channels": 1}},
             "outputs": {"main": {"channels": 1, "from": "level"}},
             "nodes": [{"id": "level", "type": "gain"}]}
            """

        private func start(_ options: String...) throws -> Program {
            folder.write(song, to: "web.json")
            let file = folder.file("web.json")
            let started: Program? = waitUntil {
                let all = ["run", file, "--json", "--no-start-server", "--server", server.name]
                guard let program = try? Program(all + options) else { return nil }
                return program.waitFor(event: "started") == nil ? nil : program
            }
            return try #require(started)
        }

        private func port(of program: Program) throws -> UInt16 {
            let line = try #require(program.waitFor(event: "http_started"))
            let url = try #require(line.split(separator: "\"").last { $0.hasPrefix("http:") })
            return try #require(url.split(separator: ":").last.flatMap { UInt16($0.dropLast()) })
        }

        @Test("pages stay connected while the JACK server is lost and returns, until the end")
        func lostServer() throws {
            var jackd = server.start()
            let program = try start("--http", "0")
            defer { kill(program.process, SIGKILL) }
            let port = try port(of: program)
            let page = try #require(PageVisitor(port: port))
            #expect(page.waits { $0.parts["session"]?["server"]?.string == "running" })
            #expect(page.set("level.gain", "-6") == "done")
            _ = page.ask("\"request\": \"watch\", \"meters\": 30")
            #expect(page.nextBinary() != nil)
            server.kill(jackd)
            #expect(page.waits { $0.parts["session"]?["server"]?.string == "lost" })
            #expect(page.set("level.gain", "-9") == "done")
            jackd = server.start(sampleRate: 44_100, blockFrames: 64)
            let returns = page.waits {
                $0.parts["session"]?["server"]?.string == "running"
                    && $0.parts["session"]?["sample_rate"]?.number == 44_100
            }
            #expect(returns)
            #expect(page.set("level.gain", "-12") == "done")
            #expect(page.values["level.gain"]?.number == -12)
            #expect(page.nextBinary() != nil)
            kill(program.process, SIGINT)
            #expect(page.waitForClose() == 1001)
            #expect(program.waitForStatus() == 0)
            server.end(jackd)
        }

        @Test("requests of other sites are reported, and an edit reaches the page")
        func edits() throws {
            let jackd = server.start()
            let program = try start("--http", "127.0.0.1:0")
            defer { kill(program.process, SIGKILL) }
            let port = try port(of: program)
            let page = try #require(PageVisitor(port: port))
            #expect(page.waits { $0.values["level.gain"]?.number == 0 })
            let foreign = try #require(Visitor(port: port))
            #expect(
                foreign.ask("POST", "/api/actions/panic", host: "evil.example:\(port)")?.status
                    == 421)
            let refused = try #require(program.waitFor(event: "http_refused"))
            #expect(refused.contains("\"count\": 1, \"reason\": \"foreign_host\""))
            let edited = song.replacing(
                "\"type\": \"gain\"", with: "\"type\": \"gain\", \"parameters\": {\"gain\": -3}")
            folder.write(edited, to: "web.json")
            #expect(page.waits { $0.values["level.gain"]?.number == -3 })
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
            server.end(jackd)
        }

        @Test("an address that is none is refused before anything plays")
        func refusedAddress() throws {
            folder.write(song, to: "web.json")
            let program = try Program(
                ["run", folder.file("web.json"), "--no-start-server", "--http", "300.0.0.1:8080"])
            #expect(program.waitForStatus() == 64)
        }
    }
}
