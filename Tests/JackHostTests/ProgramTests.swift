import Glibc
import Testing

extension JackTests {
    /// Behaviour that only the whole program shows: its servers, signals and exit status.
    @Suite struct ProgramTests {
        private let folder: PipelineFolder
        /// The same name in every run: a killed server keeps one of the machine's eight server
        /// slots until a server of the same name reuses it.
        private let server: String

        init() {
            folder = PipelineFolder(
                """
                {"version": 1, "name": "Voice", "nodes": [{"id": "level", "type": "gain"}]}
                """)
            server = "stompline-" + (Test.current?.name.filter(\.isLetter) ?? "test")
        }

        @Test("a signal ends the program in order", arguments: [SIGINT, SIGTERM])
        func signals(number: Int32) throws {
            let program = try start("--server", TestServer.shared.name)
            #expect(program.waitFor(event: "started") != nil)
            kill(program.process, number)
            #expect(program.waitForStatus() == 0)
            #expect(program.waitFor(event: "ended")?.contains("\"reason\": \"signal\"") == true)
        }

        @Test(
            "without a server, the program starts one and ends it at the end",
            .onJackForStarting)
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

        @Test(
            "a server that the program started ends even if the program is killed",
            .onJackForStarting)
        func killed() throws {
            let program = try start("--server", server)
            #expect(waitUntilSettled(program))
            kill(program.process, SIGKILL)
            #expect(program.waitForStatus() == 128 + SIGKILL)
            #expect(waitUntil { processes(withArgument: server).isEmpty ? true : nil } == true)
        }

        @Test(
            "a missed cycle is reported as an xrun",
            .onJack("the driver for the tests waits, so no cycle is missed"))
        func xrun() throws {
            let program = try start("--server", TestServer.startable(server))
            #expect(program.waitFor(event: "started") != nil)
            kill(program.process, SIGSTOP)
            usleep(100_000)
            kill(program.process, SIGCONT)
            #expect(program.waitFor(event: "xruns") != nil)
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
        }

        @Test("a signal ends the program even if the server hangs")
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

        @Test("a second signal ends the program at once if the server hangs")
        func secondSignal() throws {
            let jackd = startServer()
            defer {
                kill(jackd, SIGCONT)
                end(jackd)
            }
            let program = try startOnServer(by: ["sh", "-c", "exec \"$0\" \"$@\" 2>&1"])
            #expect(program.waitFor(event: "started") != nil)
            kill(jackd, SIGSTOP)
            kill(program.process, SIGINT)
            usleep(800_000)
            kill(program.process, SIGINT)
            #expect(program.waitForStatus() == 69)
            #expect(program.waitFor(text: "at the second signal") == true)
        }

        @Test("the program waits for a server that ends slowly")
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

        @Test("the status is 69 if no server runs and none may be started")
        func noServer() throws {
            let program = try start("--server", server, "--no-start-server")
            #expect(program.waitForStatus() == 69)
        }

        @Test("the program ends when its time limit is reached")
        func duration() throws {
            let program = try start("--server", TestServer.shared.name, "--duration", "0.2")
            #expect(program.waitForStatus() == 0)
            #expect(program.waitFor(event: "ended")?.contains("\"reason\": \"duration\"") == true)
        }

        private func start(_ arguments: String...) throws -> Program { try start(arguments) }

        private func start(_ arguments: [String], by starter: [String] = []) throws -> Program {
            try Program(["run", folder.file, "--json"] + arguments, by: starter)
        }

        private func startServer() -> pid_t { ForeignServer(name: server).start() }

        /// Waits until the program has written its metadata, which happens before its first status.
        ///
        /// A program that is killed while it writes leaves the metadata of all the user's servers
        /// locked permanently.
        private func waitUntilSettled(_ program: Program) -> Bool {
            program.waitFor(event: "status") != nil
        }

        private func end(_ process: pid_t) { ForeignServer(name: server).end(process) }

        /// Starts the program as soon as the server accepts it.
        private func startOnServer(
            _ arguments: String..., by starter: [String] = []
        ) throws -> Program {
            let started: Program? = waitUntil {
                let usual = ["--server", server, "--no-start-server"]
                guard let program = try? start(usual + arguments, by: starter) else { return nil }
                return program.waitFor(event: "started") == nil ? nil : program
            }
            return try #require(started)
        }
    }
}
