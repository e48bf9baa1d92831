import Glibc
import Testing
import TestSignals

extension JackTests {
    /// The whole program on PipeWire.
    @Suite struct PipeWireTests {
        private let pipewire = PrivatePipeWire()
        private var server: ForeignServer { pipewire.server }
        /// Needs no input: the clock plugin outputs a steady 1 while the transport rolls.
        private let pipeline = EventPlugins.pipeline(Self.text())

        /// Returns the text of the pipeline, with gains of 0 dB between the clock and its output.
        private static func text(gains: Int = 0) -> String {
            let nodes = (0..<gains).map { index in
                ", {\"id\": \"g\(index)\", \"type\": \"gain\", \"from\": "
                    + (index == 0 ? "\"clock:speed\"}" : "\"g\(index - 1)\"}")
            }
            return """
                {"version": 1, "name": "Clock",
                 "inputs": {"mic": {"channels": 1, "connect": ["nowhere:monitor_FL"]}},
                 "outputs": {"speed": {"channels": 1, "limiter": false,
                                       "from": "\(gains == 0 ? "clock:speed" : "g\(gains - 1)")",
                                       "connect": ["nowhere:playback_FL"]},
                             "dry": {"channels": 1, "from": "mic"}},
                 "nodes": [{"id": "clock", "type": "lv2", "uri": "urn:stompline-test:clock"}
                           \(nodes.joined())]}
                """
        }

        private let connections: [String: Set<String>] = [
            "Clock:mic": ["nowhere:monitor_FL"], "Clock:speed": ["nowhere:playback_FL"],
            "Clock:dry": [],
        ]

        @Test("plays in PipeWire while its quantum changes and while PipeWire restarts")
        func plays() throws {
            var process = server.start()
            defer { server.end(process) }
            let program = try #require(pipewire.play(pipeline.file))
            defer { kill(program.process, SIGKILL) }
            for frames in [64, 1_024, 16, 512] {
                pipewire.force(frames: frames)
                #expect(program.waitFor(text: "\"block_frames\": \(frames)") != nil)
            }
            server.connect("nowhere:monitor_FR", "Clock:mic")
            server.disconnect("Clock:speed", "nowhere:playback_FL")
            server.connect("Clock:speed", "nowhere:playback_FR")
            let wanted: [String: Set<String>] = [
                "Clock:mic": ["nowhere:monitor_FL", "nowhere:monitor_FR"],
                "Clock:speed": ["nowhere:playback_FR"], "Clock:dry": [],
            ]
            #expect(server.waits(wanted))
            // The next status comes after the program has handled the connections made by hand.
            let statuses = program.count(event: "status")
            #expect(program.waitFor(event: "status", times: statuses + 2) != nil)
            for round in 1...2 {
                server.kill(process)
                #expect(program.waitFor(event: "server_lost", times: round) != nil)
                process = server.start()
                #expect(program.waitFor(event: "server_back", times: round) != nil)
                #expect(server.waits(wanted))
            }
            #expect(program.soundsAfterReturn(times: 2, port: "speed"))
            kill(program.process, SIGINT)
            #expect(program.waitForStatus() == 0)
        }

        @Test("follows each quantum from 32 to 2048 while an edit is spliced in")
        func splices() throws { try splice(pipewire, [32, 2_048, 64, 1_024, 128, 512]) }

        @Test("follows quanta that are no powers of two while an edit is spliced in")
        func oddSplices() throws {
            let pipewire = PrivatePipeWire(properties: "clock.power-of-two-quantum = false")
            try splice(pipewire, [48, 1_000, 333, 240])
        }

        private func splice(_ pipewire: PrivatePipeWire, _ quanta: [Int]) throws {
            let process = pipewire.server.start()
            defer { pipewire.server.end(process) }
            let folder = ScratchFolder()
            let file = folder.write(Self.text(), to: "clock.json")
            let program = try #require(pipewire.play(file))
            defer { kill(program.process, SIGKILL) }
            for (index, frames) in quanta.enumerated() {
                // The last block size is followed before the next edit, so each is announced once.
                let changes = program.count(event: "format_changed")
                folder.write(Self.text(gains: index + 1), to: "clock.json")
                pipewire.force(frames: frames)
                #expect(program.waitFor(event: "reloaded", times: index + 1) != nil)
                let change = program.waitFor(event: "format_changed", times: changes + 1)
                #expect(change?.line.contains("\"block_frames\": \(frames),") == true)
            }
            let statuses = program.count(event: "status")
            let status = program.waitFor(event: "status", times: statuses + 2)?.line
            #expect(status?.contains("\"port\": \"speed\", \"peak_db\": 0}") == true)
            #expect(program.count(event: "non_finite") == 0)
            kill(program.process, SIGINT)
            #expect(program.waitForStatus() == 0)
        }

        @Test(
            "reports connections that PipeWire refuses or ignores",
            arguments: [
                ("allow", 0), ("fail-external", 2), ("ignore-external", 2), ("fail-all", 2),
                ("ignore-all", 2),
            ])
        func selfConnections(mode: String, refusals: Int) throws {
            let process = server.start()
            defer { server.end(process) }
            pipewire.setJackProperties("jack.self-connect-mode = \(mode)")
            let program = try #require(pipewire.play(pipeline.file))
            defer { kill(program.process, SIGKILL) }
            #expect(program.waitFor(event: "connections") != nil)
            #expect(program.count(event: "connection_refused") == refusals)
            if refusals == 0 { #expect(server.waits(connections)) }
            kill(program.process, SIGINT)
            #expect(program.waitForStatus() == 0)
        }

        @Test("keeps its sound and its connections while WirePlumber is killed and returns")
        func sessionManager() throws {
            let process = server.start()
            defer { server.end(process) }
            var manager = try #require(pipewire.startSessionManager())
            defer { manager.kill() }
            // A plugin that follows the transport would not do: WirePlumber stops it.
            let folder = ScratchFolder()
            try folder.write([Array(repeating: 0.5, count: 48_000)], to: "steady.wav")
            let file = folder.write(
                """
                {"version": 1, "name": "Clock", "inputs": {"mic": {"connect": ["nowhere:monitor_FL"]}},
                 "outputs": {"speed": {"from": "steady", "limiter": false,
                                       "connect": ["nowhere:playback_FL"]},
                             "dry": {"from": "mic"}},
                 "nodes": [{"id": "steady", "type": "player",
                            "settings": {"file": "steady.wav", "channels": 1},
                            "parameters": {"loop": true, "playing": true}}]}
                """, to: "steady.json")
            let program = try #require(pipewire.play(file))
            defer { kill(program.process, SIGKILL) }
            #expect(server.waits(connections))
            for _ in 1...2 {
                manager.kill()
                var statuses = program.count(event: "status")
                let alone = program.waitFor(event: "status", times: statuses + 2)?.line
                #expect(alone?.contains("\"port\": \"speed\", \"peak_db\": -6.02") == true)
                #expect(server.waits(connections))
                manager = try #require(pipewire.startSessionManager())
                statuses = program.count(event: "status")
                let together = program.waitFor(event: "status", times: statuses + 2)?.line
                #expect(together?.contains("\"port\": \"speed\", \"peak_db\": -6.02") == true)
                #expect(server.waits(connections))
            }
            #expect(program.count(event: "server_lost") == 0)
            kill(program.process, SIGINT)
            #expect(program.waitForStatus() == 0)
        }

        @Test("starts no server of JACK if PipeWire provides the library and does not run")
        func noServer() throws {
            let program = try Program(["run", pipeline.file, "--json"], by: pipewire.launcher)
            defer { kill(program.process, SIGKILL) }
            #expect(program.waitForStatus() == 69)
            #expect(program.count(event: "server_started") == 0)
        }

        @Test("asks for a period, which ends with the program and returns with the server")
        func period() throws {
            var process = server.start()
            defer { server.end(process) }
            let program = try #require(
                pipewire.play(pipeline.file, "--period", "128"))
            defer { kill(program.process, SIGKILL) }
            let start = program.waitFor(event: "started")
            #expect(start?.contains("\"block_frames\": 128") == true)
            server.kill(process)
            #expect(program.waitFor(event: "server_lost") != nil)
            process = server.start()
            let back = program.waitFor(event: "server_back")
            #expect(back?.contains("\"block_frames\": 128") == true)
            #expect(program.soundsAfterReturn(times: 1, port: "speed"))
            kill(program.process, SIGINT)
            #expect(program.waitForStatus() == 0)
            let next = try #require(
                pipewire.play(pipeline.file, "--name", "Next"))
            defer { kill(next.process, SIGKILL) }
            let statuses = next.count(event: "status")
            #expect(next.waitFor(event: "status", times: statuses + 2) != nil)
            #expect(next.waitFor(text: "\"block_frames\": 256") != nil)
        }
    }
}
