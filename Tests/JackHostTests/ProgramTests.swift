import Glibc
import Testing

extension JackTests {
    /// What only the whole program shows: its servers, its signals, its exit status.
    @Suite struct ProgramTests {
        private let folder: PipelineFolder
        /// The same in every run: a server that was killed keeps its place among the eight of a machine, until one of
        /// the same name takes it over.
        private let server: String

        init() {
            folder = PipelineFolder(
                """
                {"version": 1, "name": "Voice", "nodes": [{"id": "level", "type": "gain"}]}
                """)
            server = "stompline-" + (Test.current?.name.filter(\.isLetter) ?? "test")
        }

        @Test("a signal ends it in order", arguments: [SIGINT, SIGTERM])
        func signals(number: Int32) throws {
            let program = try start("--server", TestServer.shared.name)
            #expect(program.waitFor(event: "started") != nil)
            kill(program.process, number)
            #expect(program.waitForStatus() == 0)
            #expect(program.waitFor(event: "ended")?.contains("\"reason\": \"signal\"") == true)
        }

        @Test("without a server it starts one, and ends it at the end")
        func ownServer() throws {
            let program = try start("--server", server)
            #expect(program.waitFor(event: "server_started") != nil)
            #expect(program.waitFor(event: "started") != nil)
            let servers = processes(withArgument: server).filter { $0 != program.process }
            #expect(servers.count == 1)
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
            #expect(processes(withArgument: server).isEmpty)
        }

        @Test("a server of its own ends even where the program is killed")
        func killed() throws {
            let program = try start("--server", server)
            #expect(waitUntilSettled(program))
            kill(program.process, SIGKILL)
            #expect(program.waitForStatus() == 128 + SIGKILL)
            #expect(waitUntil { processes(withArgument: server).isEmpty ? true : nil } == true)
        }

        @Test("a cycle that was missed is told as an xrun")
        func xrun() throws {
            let program = try start("--server", server)
            #expect(program.waitFor(event: "started") != nil)
            kill(program.process, SIGSTOP)
            usleep(100_000)
            kill(program.process, SIGCONT)
            #expect(program.waitFor(event: "xruns") != nil)
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
        }

        @Test("a signal ends it even where the server hangs")
        func serverHangs() throws {
            let jackd = startServer()
            defer {
                kill(jackd, SIGCONT)
                end(jackd)
            }
            let program = try startOnServer()
            #expect(program.waitFor(event: "started") != nil)
            kill(jackd, SIGSTOP)
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 69)
        }

        @Test("a server that takes its time at the end is waited for")
        func serverIsSlow() throws {
            let jackd = startServer()
            defer { end(jackd) }
            let program = try startOnServer("--duration", "1")
            kill(jackd, SIGSTOP)
            #expect(program.waitFor(event: "ended") != nil)
            usleep(700_000)
            #expect(program.status == nil)
            kill(jackd, SIGCONT)
            #expect(program.waitForStatus() == 0)
        }

        @Test("with no server and none allowed to be started, the status is 69")
        func noServer() throws {
            let program = try start("--server", server, "--no-start-server")
            #expect(program.waitForStatus() == 69)
        }

        @Test("the time to play for is kept")
        func duration() throws {
            let program = try start("--server", TestServer.shared.name, "--duration", "0.2")
            #expect(program.waitForStatus() == 0)
            #expect(program.waitFor(event: "ended")?.contains("\"reason\": \"duration\"") == true)
        }

        private func start(_ arguments: String...) throws -> Program { try start(arguments) }

        private func start(_ arguments: [String]) throws -> Program {
            try Program(["run", folder.file, "--json"] + arguments)
        }

        private func startServer() -> pid_t {
            startProgram(["jackd", "-n", server, "-d", "dummy", "-r", "48000", "-p", "256"])
        }

        /// Waits until the program has written its metadata, which it does before its first status.
        ///
        /// Who is killed while it writes leaves the metadata of all servers of the user locked for ever.
        private func waitUntilSettled(_ program: Program) -> Bool {
            program.waitFor(event: "status") != nil
        }

        private func end(_ jackd: pid_t) {
            kill(jackd, SIGTERM)
            waitpid(jackd, nil, 0)
        }

        /// Starts the program as soon as the server takes it.
        private func startOnServer(_ arguments: String...) throws -> Program {
            let started: Program? = waitUntil {
                let usual = ["--server", server, "--no-start-server"]
                guard let program = try? start(usual + arguments) else { return nil }
                return program.waitFor(event: "started") == nil ? nil : program
            }
            return try #require(started)
        }
    }
}
