import CJack
import Engine
import Glibc
import JackHost
import Pipelines
import Processing
import SessionCore
import Testing
import TestSignals

extension JackTests {
    /// MIDI, time and latency between JACK and plugins that turn the data they receive into sound.
    @Suite struct EventPlayingTests {
        private typealias Message = TestAudio.Message

        @Test(
            "messages sound at their exact frames and leave through the MIDI port, live as in `render`"
        )
        func echo() throws {
            let patchbay = try Patchbay()
            let folder = EventPlugins.pipeline(
                """
                {"version": 1, "name": "Echo", "inputs": {"keys": {"kind": "midi"}, "mic": {}},
                 "outputs": {"out": {"channels": 1, "limiter": false, "from": "echo"},
                             "notes": {"kind": "midi"}},
                 "nodes": [{"id": "echo", "type": "lv2", "uri": "urn:stompline-test:echo",
                            "events": "keys"}\(StageFiles.branch())]}
                """)
            let messages = [0, 1, 63, 64, 100, 100, 4799].enumerated().map { index, frame in
                Message(frame: frame, bytes: [0x90, UInt8(index + 1), 100])
            }
            let program = try Program([
                "run", folder.file, "--json", "--server", TestServer.shared.name,
            ])
            #expect(program.waitFor(event: "started") != nil)
            let player = try #require(TestClient(named: "player"))
            let recorder = try #require(TestClient(named: "recorder"))
            let listener = try #require(TestClient(named: "listener"))
            player.prepareToPlay(events: messages)
            recorder.prepareToRecord(frames: 480_000)
            listener.prepareToRecordEvents()
            patchbay.connect("player:events", "Echo:keys")
            patchbay.connect("Echo:out", "recorder:in")
            patchbay.connect("Echo:notes", "listener:events")
            // The fade-in is over.
            waitForFrames(recorder.recorded.count + 9_600, recorder)
            player.play()
            waitForFrames(recorder.recorded.count + 9_600, recorder)
            let heard = listener.popRecordedEvents()
            let recorded = recorder.recorded
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)

            // The first message is at the first frame of a cycle.
            let start = try #require(recorded.firstIndex { $0 != 0 })
            #expect(start % 64 == 0)
            #expect(Array(recorded[start...].prefix(4800)) == Self.shown(messages, frames: 4800))
            let first = try #require(heard.first)
            #expect(
                heard.map { Message(frame: $0.frame - first.frame, bytes: $0.bytes) } == messages)
        }

        /// Returns the echo's output for messages of three bytes.
        private static func shown(_ messages: [Message], frames: Int) -> [Float] {
            var sound = [Float](repeating: 0, count: frames)
            for message in messages {
                let number = message.bytes.reduce(0) { $0 << 8 | Int($1) }
                sound[message.frame] += Float(number) / 16_777_216
            }
            return sound
        }

        @Test(
            "plugins follow JACK's transport once it is used",
            .onJack("PipeWire's transport followed these commands in some runs only"))
        func transport() throws {
            let patchbay = try Patchbay()
            let folder = EventPlugins.pipeline(
                """
                {"version": 1, "name": "Clock", "inputs": {"mic": {}}, "outputs": {
                   "speed": {"channels": 1, "limiter": false, "from": "clock:speed"},
                   "frame": {"channels": 1, "limiter": false, "from": "clock:frame"}},
                 "nodes": [{"id": "clock", "type": "lv2",
                            "uri": "urn:stompline-test:clock"}\(StageFiles.branch())]}
                """)
            let program = try Program([
                "run", folder.file, "--json", "--server", TestServer.shared.name,
            ])
            #expect(program.waitFor(event: "started") != nil)
            let clients = try ["speed", "frame"].map { name in
                let client = try #require(TestClient(named: "hears-" + name))
                client.prepareToRecord(frames: 48_000 * 300)
                patchbay.connect("Clock:" + name, "hears-\(name):in")
                return client
            }
            #expect(waits(for: 1, clients[0]))
            jack_transport_locate(patchbay.client.handle, 48_000)
            #expect(waits(for: 0, clients[0]))
            #expect(waits(for: 48_000, clients[1]))
            jack_transport_start(patchbay.client.handle)
            #expect(waits(for: 1, clients[0]))
            jack_transport_stop(patchbay.client.handle)
            #expect(waits(for: 0, clients[0]))
            jack_transport_locate(patchbay.client.handle, 0)
            #expect(waits(for: 0, clients[1]))
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
        }

        private let restless = Catalogue(
            effects: [RestlessEffect.effect], plugins: NoPlugins())

        @Test("a node without latency has none in JACK")
        func noLatency() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(.restless(), catalogue: restless)
            defer { session.stop() }
            #expect(patchbay.latency("Restless:main", JackCaptureLatency) == 0)
        }

        @Test("a latency change while playing is reported to the user")
        func latencyForUser() throws {
            _ = TestServer.shared
            let session = try RunningSession(.restless(), catalogue: restless)
            defer { session.stop() }
            session.remote.send(.set(node: 0, target: 0, value: 123, frame: 0))
            let event = session.waitFor {
                $0 == .latencyChanged(node: "node", nodeFrames: 123, latencyFrames: 123)
            }
            #expect(event != nil)
        }

        @Test("a latency change while playing is reported to JACK")
        func latencyForJACK() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(.restless(), catalogue: restless)
            defer { session.stop() }
            session.remote.send(.set(node: 0, target: 0, value: 123, frame: 0))
            let isReported = waitUntil {
                patchbay.latency("Restless:main", JackCaptureLatency) == 123 ? true : nil
            }
            #expect(isReported == true)
        }

        /// Lets the server freewheel until the session has noticed it, and ends that.
        ///
        /// - Returns: The events with which the session reports the start and the end.
        private func freewheel(_ session: RunningSession, by patchbay: Patchbay) -> (
            start: SessionEvent?, end: SessionEvent?
        ) {
            jack_set_freewheel(patchbay.client.handle, 1)
            let start = session.waitFor { $0 == .freewheel(isOn: true) }
            jack_set_freewheel(patchbay.client.handle, 0)
            return (start, session.waitFor { $0 == .freewheel(isOn: false) })
        }

        @Test("a session reports the start of freewheeling", .onJackForFreewheeling)
        func freewheelStart() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(.restless(), catalogue: restless)
            defer { session.stop() }
            #expect(freewheel(session, by: patchbay).start != nil)
        }

        @Test("a session reports the end of freewheeling", .onJackForFreewheeling)
        func freewheelEnd() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(.restless(), catalogue: restless)
            defer { session.stop() }
            #expect(freewheel(session, by: patchbay).end != nil)
        }

        @Test("nodes are notified that the server freewheels", .onJackForFreewheeling)
        func freewheelOfNodes() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(.restless(), catalogue: restless)
            defer { session.stop() }
            _ = freewheel(session, by: patchbay)
            let event = session.waitFor {
                $0
                    == .latencyChanged(
                        node: "node", nodeFrames: RestlessEffect.freewheelFrames,
                        latencyFrames: RestlessEffect.freewheelFrames)
            }
            #expect(event != nil)
        }

        private func waitForFrames(_ count: Int, _ recorder: TestClient) {
            #expect(waitUntil { recorder.recorded.count >= count ? true : nil } == true)
        }

        /// Waits until a client receives a value, for at most 5 s.
        private func waits(for value: Float, _ client: TestClient) -> Bool {
            waitUntil { client.lastRecorded == value ? true : nil } ?? false
        }
    }
}

/// The plugins that turn the data they receive into sound, built into a folder on the programs'
/// plugin search path.
enum EventPlugins {
    /// Returns a folder with a pipeline file, and installs the plugins in addition to the system's.
    static func pipeline(_ text: String) -> PipelineFolder {
        _ = isBuilt
        return PipelineFolder(text)
    }

    private static let isBuilt: Bool = {
        let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let folder = builtProgram("event-plugins")
        let bundle = folder + "/events.lv2/"
        run(["mkdir", "-p", folder])
        run(["cp", "-r", "/\(tests)/LV2Tests/Hostile/events.lv2", folder])
        run(["cc", "-shared", "-fPIC", "-O1", bundle + "events.c", "-o", bundle + "events.so"])
        setenv("LV2_PATH", "\(folder):/usr/lib/lv2", 1)
        return true
    }()

    private static func run(_ arguments: [String]) {
        let process = startProgram(arguments)
        waitpid(process, nil, 0)
    }
}
