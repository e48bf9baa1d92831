import Glibc
import JackHost
import SessionCore
import Testing

extension JackTests {
    /// Instances that leave one server at the same moment;
    /// scripts/endurance/end-together.py tests twenty of them.
    @Suite struct EndTogetherTests {
        private let server = ForeignServer(name: "stompline-together")

        @Test(
            "instances that end together leave a working server", arguments: [(5, 4), (1, 64)])
        func together(instances: Int, channels: Int) throws {
            let folder = PipelineFolder(
                """
                {"version": 1, "name": "Voice",
                 "inputs": {"mic": {"channels": \(channels)}},
                 "outputs": {"main": {"channels": \(channels)}},
                 "nodes": [{"id": "level", "type": "gain"}]}
                """)
            let jackd = server.start()
            defer { kill(jackd, SIGKILL) }
            try #require(answers())
            let programs = try (0..<instances).map { _ in try start(folder.file) }
            // The program writes the ports' metadata before the first status.
            for program in programs { #expect(program.waitFor(event: "status") != nil) }
            for program in programs { kill(program.process, SIGTERM) }
            for program in programs { #expect(waitLong { program.status } == 0) }
            #expect(answers())
            let next = try start(folder.file, "--duration", "0.1")
            #expect(waitLong { next.status } == 0)
            kill(jackd, SIGTERM)
            #expect(waitLong { waitpid(jackd, nil, WNOHANG) == jackd ? true : nil } == true)
        }

        @Test("an instance that keeps its turn costs the others only their readable names")
        func turnIsTaken() throws {
            let patchbay = try Patchbay()
            let key = "http://jackaudio.org/metadata/pretty-name"
            let isHeld = InstanceLock.run(withinSeconds: 60) { _ in
                guard let session = try? RunningSession(.chain()) else {
                    Issue.record("the session did not start")
                    return
                }
                let status = session.waitFor { if case .status = $0 { true } else { false } }
                #expect(status != nil)
                #expect(patchbay.metadata("Lead voice:mic", key) == nil)
                session.remote.stop()
                #expect(waitLong { session.waitForEnd() } == .requested)
                #expect(patchbay.ports(of: "Lead voice").isEmpty)
            }
            #expect(isHeld)
        }

        private func start(_ file: String, _ options: String...) throws -> Program {
            try Program(
                ["run", file, "--json", "--server", server.name, "--no-start-server"] + options)
        }

        /// Returns whether the server answers a client within about 20 s, even if it is just
        /// starting.
        private func answers() -> Bool {
            let end = ContinuousClock.now + .seconds(20)
            repeat {
                let ports = server.run([
                    "timeout", "-s", "KILL", "5", "jack_lsp", "-s", server.name,
                ])
                if !ports.isEmpty { return true }
                usleep(100_000)
            } while ContinuousClock.now < end
            return false
        }

        /// Polls until there is an answer, for at most 20 s on an idle machine.
        private func waitLong<Answer>(_ answer: () -> Answer?) -> Answer? {
            for _ in 0..<4 {
                if let found = waitUntil(answer) { return found }
            }
            return nil
        }
    }
}
