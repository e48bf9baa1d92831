import CJack
import Engine
import Glibc
import JackHost
import Pipelines
import SessionCore
import Synchronization
import Testing

extension JackTests {
    /// Cycles of any length, and ports that come and go during playback.
    @Suite struct SlotTests {
        @Test(
            "a cycle is rendered completely, whatever its number of frames",
            arguments: [0, 1, 3, 63, 64, 65, 192, 1_000, 4_096, 8_192])
        func cycles(frames: Int) throws {
            let session = try idleSession()
            CountingEffect.frames.store(0, ordering: .relaxed)
            for _ in 0..<3 { session.runCycle(frames: frames) }
            #expect(CountingEffect.frames.load(ordering: .relaxed) == 3 * frames)
        }

        @Test("slots without a port are rendered too, in several parts if a cycle is very long")
        func emptySlots() throws {
            let session = try idleSession()
            try session.follow(EnginePorts())
            CountingEffect.frames.store(0, ordering: .relaxed)
            for frames in [64, 8_192, 20_000] { session.runCycle(frames: frames) }
            #expect(CountingEffect.frames.load(ordering: .relaxed) == 28_256)
        }

        @Test("a signal keeps its connections and its sound if its channel count changes")
        func width() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(.chain())
            defer { session.stop() }
            let (player, recorder) = try patchbay.steadySound(through: "Lead voice")
            defer { player.close() }
            let narrow = try #require(EnginePorts(.chain()))
            let wide = try #require(EnginePorts(.chain(channels: 2)))
            for _ in 0..<3 {
                session.remote.use(wide)
                #expect(patchbay.waits(port: "Lead voice:main_2"))
                // PipeWire (0.3.65) does not report the new name of a port to other clients.
                if !JackLibrary.loaded.isPipeWire {
                    #expect(patchbay.waits("player:out", "Lead voice:mic_1"))
                    #expect(patchbay.waits("Lead voice:main_1", "recorder:in"))
                }
                session.remote.use(narrow)
                #expect(patchbay.waits("Lead voice:main", "recorder:in"))
                #expect(patchbay.waits("player:out", "Lead voice:mic"))
                #expect(patchbay.waits(port: "Lead voice:mic_2", exists: false))
                #expect(
                    patchbay.ports(of: "Lead voice") == ["Lead voice:main", "Lead voice:mic"])
            }
            try expectSteadySound(recorder)
        }

        @Test(
            "signals appear with their rules' connections, and return with the connections they had"
        )
        func signals() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(.chain())
            defer { session.stop() }
            let (player, recorder) = try patchbay.steadySound(through: "Lead voice")
            defer { player.close() }
            let few = try #require(EnginePorts(.chain()))
            var more = Pipeline.chain()
            more.inputs.append(
                .init(
                    name: "second", channels: 2, kind: .audio,
                    connect: [.pattern("system:capture_.*")]))
            more.inputs.append(.init(name: "pedals", channels: 0, kind: .midi, connect: []))
            let many = try #require(EnginePorts(more))
            session.remote.use(many)
            #expect(patchbay.waits("system:capture_2", "Lead voice:second_2"))
            #expect(patchbay.waits(port: "Lead voice:pedals"))
            patchbay.disconnect("system:capture_1", "Lead voice:second_1")
            patchbay.connect("player:out", "Lead voice:second_1")
            #expect(patchbay.waits("player:out", "Lead voice:second_1"))
            // After this time, the session attributes the change to the user.
            usleep(UInt32(3e6 * ConnectionMemory.notificationSeconds))
            session.remote.use(few)
            #expect(patchbay.waits(port: "Lead voice:second_1", exists: false))
            #expect(patchbay.waits(port: "Lead voice:pedals", exists: false))
            session.remote.use(many)
            #expect(patchbay.waits("system:capture_2", "Lead voice:second_2"))
            #expect(patchbay.waits("player:out", "Lead voice:second_1"))
            #expect(!patchbay.isConnected("system:capture_1", "Lead voice:second_1"))
            try expectSteadySound(recorder)
        }

        @Test(
            "a name that another port has is reported, and the other ports exist",
            .onJack("PipeWire's library accepts several ports of the same name"))
        func refused() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(.chain())
            defer { session.stop() }
            var pipeline = Pipeline.chain()
            for name in ["main_1", "other"] {
                pipeline.inputs.append(
                    .init(name: name, channels: 1, kind: .audio, connect: []))
            }
            pipeline.outputs[0].channels = 2
            session.remote.use(try #require(EnginePorts(pipeline)))
            #expect(session.waitFor { $0 == .portRefused(name: "main_1") } != nil)
            #expect(patchbay.ports(of: "Lead voice").contains("Lead voice:other"))
        }

        /// Checks that the recorder has received the steady 0.5 of `steadySound` without a break.
        private func expectSteadySound(_ recorder: TestClient) throws {
            let recorded = recorder.recorded
            let start = try #require(recorded.firstIndex(of: 0.5))
            #expect(recorded.last == 0.5)
            #expect(recorded[start...].allSatisfy { $0 == 0.5 })
        }

        /// Returns a session that JACK does not call.
        private func idleSession() throws -> JackSession {
            _ = TestServer.shared
            let server = try JoinedServer(clientName: "Counting", server: nil, mayStart: false)
            return try JackSession(
                playing: .counting(), catalogue: CountingEffect.catalogue, on: server,
                options: SessionOptions())
        }
    }
}
