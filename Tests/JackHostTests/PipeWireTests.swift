import Glibc
import Testing
import TestSignals

extension JackTests {
    /// PipeWire as the JACK server, with a sink that discards its sound, without a session bus or a
    /// session manager.
    @Suite struct PipeWireTests {
        private let settings = ScratchFolder()
        private let environment: [String]
        private let server: ForeignServer
        /// Needs no input: the clock plugin outputs a steady 1 while the transport rolls.
        private let pipeline = EventPlugins.pipeline(
            """
            {"version": 1, "name": "Clock",
             "inputs": {"mic": {"channels": 1, "connect": ["nowhere:monitor_FL"]}},
             "outputs": {"speed": {"channels": 1, "limiter": false, "from": "clock:speed",
                                   "connect": ["nowhere:playback_FL"]},
                         "dry": {"channels": 1, "from": "mic"}},
             "nodes": [{"id": "clock", "type": "lv2", "uri": "urn:stompline-test:clock"}]}
            """)

        init() {
            let file = settings.write(Self.configuration, to: "pipewire.conf")
            let folder = file.split(separator: "/").dropLast().joined(separator: "/")
            environment = ["env", "XDG_RUNTIME_DIR=/" + folder]
            server = ForeignServer(
                name: "pipewire-0", command: environment + ["pipewire", "-c", file],
                launcher: environment + ["pw-jack"])
        }

        @Test("plays in PipeWire while its quantum changes and while PipeWire restarts")
        func plays() throws {
            var pipewire = server.start()
            defer { server.end(pipewire) }
            let program = try startOnServer()
            defer { kill(program.process, SIGKILL) }
            for frames in [64, 1_024, 16, 512] {
                server.run(
                    environment + [
                        "pw-metadata", "-n", "settings", "0", "clock.force-quantum", "\(frames)",
                    ])
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
                server.kill(pipewire)
                #expect(program.waitFor(event: "server_lost", times: round) != nil)
                pipewire = server.start()
                #expect(program.waitFor(event: "server_back", times: round) != nil)
                #expect(server.waits(wanted))
            }
            #expect(program.soundsAfterReturn(times: 2, port: "speed"))
            kill(program.process, SIGINT)
            #expect(program.waitForStatus() == 0)
        }

        /// Starts the program as soon as PipeWire accepts it.
        private func startOnServer() throws -> Program {
            let started: Program? = waitUntil {
                let arguments = ["run", pipeline.file, "--json", "--no-start-server"]
                guard let program = try? Program(arguments, by: environment + ["pw-jack"]) else {
                    return nil
                }
                return program.waitFor(event: "started") == nil ? nil : program
            }
            return try #require(started)
        }

        private static let configuration = """
            context.properties = {
                core.daemon = true
                core.name = pipewire-0
                support.dbus = false
                default.clock.quantum = 256
                default.clock.min-quantum = 16
                default.clock.allowed-rates = [ 48000 ]
            }
            context.spa-libs = {
                audio.convert.* = audioconvert/libspa-audioconvert
                support.* = support/libspa-support
            }
            context.modules = [
                { name = libpipewire-module-protocol-native }
                { name = libpipewire-module-metadata }
                { name = libpipewire-module-spa-node-factory }
                { name = libpipewire-module-client-node }
                { name = libpipewire-module-access }
                { name = libpipewire-module-adapter }
                { name = libpipewire-module-link-factory }
            ]
            context.objects = [
                { factory = metadata args = { metadata.name = default } }
                { factory = spa-node-factory args = {
                    factory.name = support.node.driver node.name = Dummy-Driver
                    node.group = pipewire.dummy priority.driver = 20000
                } }
                { factory = adapter args = {
                    factory.name = support.null-audio-sink node.name = nowhere media.class = Audio/Sink
                    audio.position = [ FL FR ]
                    adapter.auto-port-config = { mode = dsp monitor = true position = preserve }
                } }
            ]
            """
    }
}
