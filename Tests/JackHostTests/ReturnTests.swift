import Glibc
import Testing
import TestSignals

extension JackTests {
    /// Behaviour of a program whose server goes away.
    @Suite struct ReturnTests {
        /// Needs no input: the clock plugin outputs a steady 1 while the transport rolls.
        private let folder = EventPlugins.pipeline(
            """
            {"version": 1, "name": "Clock",
             "inputs": {"mic": {"channels": 1, "connect": ["system:capture_1"]},
                        "keys": {"kind": "midi", "connect": ["/keys:.*/"]}},
             "outputs": {"speed": {"channels": 1, "limiter": false, "from": "clock:speed",
                                   "connect": ["system:playback_1"]},
                         "dry": {"channels": 1, "from": "mic"}},
             "nodes": [{"id": "clock", "type": "lv2", "uri": "urn:stompline-test:clock"}]}
            """)
        private let server = ForeignServer(name: "stompline-return")
        private let scratch = ScratchFolder()

        @Test("ports, connections and sound return after each of three server crashes")
        func killed() throws {
            var jackd = server.start()
            let program = try startOnServer()
            defer { kill(program.process, SIGKILL) }
            #expect(server.waits(["Clock:mic": ["system:capture_1"]]))
            server.connect("system:capture_2", "Clock:mic")
            server.disconnect("Clock:speed", "system:playback_1")
            server.connect("Clock:speed", "system:playback_2")
            let wanted: [String: Set<String>] = [
                "Clock:mic": ["system:capture_1", "system:capture_2"], "Clock:keys": [],
                "Clock:speed": ["system:playback_2"], "Clock:dry": [],
            ]
            #expect(server.waits(wanted))
            // The next status comes after the program has handled the connections made by hand.
            #expect(
                program.waitFor(event: "status", times: program.count(event: "status") + 2) != nil)
            for (round, format) in [(44_100, 64), (96_000, 1_024), (48_000, 16)].enumerated() {
                server.kill(jackd)
                #expect(program.waitFor(event: "server_lost", times: round + 1) != nil)
                jackd = server.start(sampleRate: format.0, blockFrames: format.1)
                let back = program.waitFor(event: "server_back", times: round + 1)?.line
                #expect(
                    back?.contains(
                        "\"sample_rate\": \(format.0), \"block_frames\": \(format.1)") == true)
                #expect(server.waits(wanted))
            }
            #expect(program.soundsAfterReturn(times: 3, port: "speed"))
            kill(program.process, SIGINT)
            #expect(program.waitForStatus() == 0)
            server.end(jackd)
        }

        @Test("a lost server is not reported as missing connections")
        func noMissingConnections() throws {
            var jackd = server.start()
            let program = try startOnServer()
            defer { kill(program.process, SIGKILL) }
            let first = try #require(program.waitFor(event: "connections"))
            #expect(first.contains("\"connected\": true, \"to\": [\"system:capture_1\"]"))
            let count = program.count(event: "connections")
            server.kill(jackd)
            #expect(program.waitFor(event: "server_lost") != nil)
            jackd = server.start()
            #expect(program.waitFor(event: "server_back") != nil)
            // By the third status, the graph has settled for longer than a report waits.
            #expect(
                program.waitFor(event: "status", times: program.count(event: "status") + 3) != nil)
            #expect(program.count(event: "connections") == count)
            kill(program.process, SIGINT)
            #expect(program.waitForStatus() == 0)
            server.end(jackd)
        }

        @Test(
            "a client that returns later gets its connections, and removed connections stay removed"
        )
        func laterClients() throws {
            var jackd = server.start()
            let program = try startOnServer()
            defer { kill(program.process, SIGKILL) }
            var clients = startClients()
            #expect(server.waits(["Clock:keys": ["keys:out"], "metro:60_bpm": []]))
            server.disconnect("keys:out", "Clock:keys")
            server.connect("metro:60_bpm", "Clock:mic")
            let wanted: [String: Set<String>] = [
                "Clock:mic": ["system:capture_1", "metro:60_bpm"], "Clock:keys": [],
            ]
            #expect(server.waits(wanted))
            #expect(
                program.waitFor(event: "status", times: program.count(event: "status") + 2) != nil)
            server.kill(jackd)
            for client in clients { server.kill(client) }
            jackd = server.start()
            #expect(program.waitFor(event: "server_back", times: 1) != nil)
            #expect(server.waits(["Clock:mic": ["system:capture_1"]]))
            clients = startClients()
            #expect(server.waits(wanted))
            kill(program.process, SIGINT)
            #expect(program.waitForStatus() == 0)
            for client in clients { server.kill(client) }
            server.end(jackd)
        }

        @Test(
            "the program rejoins a server that ended in order, even if libjack notices the end late"
        )
        func endedInOrder() throws {
            // libjack closes each of the server's clients while it holds a process-wide lock.
            let interposer = try Interposer(
                """
                #define _GNU_SOURCE
                #include <sys/syscall.h>
                #include <time.h>
                #include <unistd.h>
                int munmap(void *place, size_t count) {
                    struct timespec start, now;
                    clock_gettime(CLOCK_MONOTONIC, &start);
                    do clock_gettime(CLOCK_MONOTONIC, &now);
                    while (count < 64 && now.tv_sec * 1000000000 + now.tv_nsec
                        < start.tv_sec * 1000000000 + start.tv_nsec + 50000000);
                    return syscall(SYS_munmap, place, count);
                }
                """, in: scratch)
            var jackd = server.start()
            let program = try startOnServer(by: interposer.starter)
            defer { kill(program.process, SIGKILL) }
            for round in 1...3 {
                server.end(jackd)
                #expect(program.waitFor(event: "server_lost", times: round) != nil)
                jackd = server.start()
                #expect(program.waitFor(event: "server_back", times: round) != nil)
            }
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
            server.end(jackd)
        }

        @Test("a server that the program started is started again", .onJackForStarting)
        func ownServer() throws {
            let program = try start("--server", server.name)
            defer { kill(program.process, SIGKILL) }
            #expect(program.waitFor(event: "status", times: 1) != nil)
            for round in 1...2 {
                let own = processes(withArgument: server.name).filter { $0 != program.process }
                #expect(own.count == 1)
                for process in own { kill(process, SIGKILL) }
                #expect(program.waitFor(event: "server_started", times: round + 1) != nil)
                #expect(program.waitFor(event: "server_back", times: round) != nil)
                #expect(
                    server.waits([
                        "Clock:mic": ["system:capture_1"], "Clock:speed": ["system:playback_1"],
                    ]))
            }
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
            #expect(processes(withArgument: server.name).isEmpty)
        }

        @Test("a signal ends the program while the server is away")
        func signal() throws {
            let jackd = server.start()
            let program = try startOnServer()
            server.kill(jackd)
            #expect(program.waitFor(event: "server_lost", times: 1) != nil)
            kill(program.process, SIGINT)
            #expect(program.waitForStatus() == 0)
            #expect(program.waitFor(event: "ended")?.contains("\"reason\": \"signal\"") == true)
        }

        @Test("the time limit also counts while the server is away")
        func duration() throws {
            let jackd = server.start()
            let program = try startOnServer("--duration", "1.5")
            server.kill(jackd)
            #expect(program.waitForStatus() == 0)
            #expect(
                program.waitFor(event: "ended")?.contains("\"reason\": \"duration\"") == true)
        }

        /// Adds a MIDI player that a rule connects, and then an audio player that no rule names.
        private func startClients() -> [pid_t] {
            let keys = server.startClient(["jack_midiseq", "keys", "48000", "0", "60", "8000"])
            #expect(server.waits { $0["keys:out"] != nil })
            let metro = server.startClient(["jack_metro", "-n", "metro", "-b", "60"])
            #expect(server.waits { $0["metro:60_bpm"] != nil })
            return [keys, metro]
        }

        private func start(_ arguments: String...) throws -> Program {
            try Program(["run", folder.file, "--json"] + arguments)
        }

        /// Starts the program as soon as the server accepts it.
        private func startOnServer(
            _ arguments: String..., by starter: [String] = []
        ) throws -> Program {
            let started: Program? = waitUntil {
                let all = ["run", folder.file, "--json", "--no-start-server"] + arguments
                let program = try? Program(all + ["--server", server.name], by: starter)
                guard let program else { return nil }
                return program.waitFor(event: "started") == nil ? nil : program
            }
            return try #require(started)
        }
    }
}
