import CJack
import JackHost
import Pipelines
import SessionCore
import Testing

extension JackTests {
    @Suite struct PortTests {
        @Test("ports have the file's names, with numbers if a signal has several channels")
        func names() throws {
            let patchbay = try Patchbay()
            var pipeline = Pipeline.chain(channels: 2)
            pipeline.inputs.append(.init(name: "control", channels: 0, kind: .midi, connect: []))
            let session = try RunningSession(pipeline)
            defer { session.stop() }
            #expect(
                patchbay.ports(of: "Lead voice") == [
                    "Lead voice:control", "Lead voice:main_1", "Lead voice:main_2",
                    "Lead voice:mic_1", "Lead voice:mic_2",
                ])
        }

        @Test("ports of another client that exist only for a moment are no end of the server")
        func momentaryPorts() throws {
            _ = try Patchbay()
            let session = try RunningSession(.chain())
            defer { session.stop() }
            let guest = try #require(TestClient(named: "guest"))
            guest.start()
            for _ in 0..<300 { guest.removePort(guest.addPort("moment", isInput: true)) }
            let count = session.reported.count { if case .status = $0 { true } else { false } }
            // The end is reported before the next status but one.
            let isPlaying = waitUntil {
                let statuses = session.reported.count { event in
                    if case .status = event { true } else { false }
                }
                return statuses > count + 1 ? true : nil
            }
            #expect(isPlaying == true)
            #expect(!session.reported.contains { if case .serverLost = $0 { true } else { false } })
        }

        @Test(
            "the second session of the same name gets a separate name",
            .onJack("PipeWire's library accepts several clients of the same name"))
        func uniqueNames() throws {
            let patchbay = try Patchbay()
            let first = try RunningSession(.chain())
            let second = try RunningSession(.chain())
            defer {
                first.stop()
                second.stop()
            }
            let started = second.waitFor { if case .started = $0 { true } else { false } }
            guard case .started(let start) = try #require(started) else { return }
            #expect(start.clientName != "Lead voice")
            #expect(patchbay.ports(of: start.clientName).count == 2)
            #expect(
                second.reported.contains(
                    .nameTaken(requested: "Lead voice", assigned: start.clientName)))
        }

        @Test("the latency is that of the ports before and after us, plus ours")
        func latency() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(
                .chain(
                    lateFrames: [100, 23], connectInput: [.port("system:capture_1")],
                    connectOutput: [.port("system:playback_2")]))
            defer { session.stop() }
            #expect(patchbay.waits("Lead voice:main", "system:playback_2"))
            let capture = try #require(patchbay.latency("system:capture_1", JackCaptureLatency))
            let playback = try #require(patchbay.latency("system:playback_2", JackPlaybackLatency))
            let captured = waitUntil {
                patchbay.latency("Lead voice:main", JackCaptureLatency) == capture + 123
                    ? true : nil
            }
            let played = waitUntil {
                patchbay.latency("Lead voice:mic", JackPlaybackLatency) == playback + 123
                    ? true : nil
            }
            #expect(captured == true)
            #expect(played == true)
        }

        @Test(
            "the error says that no server runs and that none may be started",
            .onJack("PipeWire's library ignores the name of the server"))
        func noServer() {
            #expect(throws: JackError.noServer(name: "nobody-here")) {
                _ = try JoinedServer(clientName: "x", server: "nobody-here", mayStart: false)
            }
        }
    }
}
