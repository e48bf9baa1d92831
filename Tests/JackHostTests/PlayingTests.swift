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
    @Suite struct PlayingTests {
        @Test("the live output is bit-identical to the engine's output without JACK")
        func routed() throws {
            let patchbay = try Patchbay()
            let pipeline = Pipeline.chain(lateFrames: [37], factor: 0.75, hasLimiter: true)
            let session = try RunningSession(pipeline)
            defer { session.stop() }
            let sequence = [0.5] + whiteNoise(frames: 12_000)
            let expected = Array(try render(pipeline, sequence)[37...])
            let player = try #require(TestClient(named: "player"))
            let recorder = try #require(TestClient(named: "recorder"))
            player.prepareToPlay(sequence)
            recorder.prepareToRecord(frames: 480_000)
            patchbay.connect("player:out", "Lead voice:mic")
            patchbay.connect("Lead voice:main", "recorder:in")
            waitForFrames(recorder.recorded.count + 4_800, recorder)
            player.play()
            waitForFrames(recorder.recorded.count + 24_000, recorder)
            let recorded = recorder.recorded
            let start = try #require(recorded.firstIndex { $0 != 0 })
            #expect(Array(recorded[start...].prefix(12_001)) == expected)
        }

        @Test("the buffer size may change while the session plays")
        func bufferSizes() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(.chain(lateFrames: [10]))
            defer { session.stop() }
            for frames in [256, 32, 64] {
                TestServer.shared.setBufferSize(frames, by: patchbay.client.handle)
                let event = session.waitFor {
                    $0 == .formatChanged(sampleRate: 48_000, blockFrames: frames, latencyFrames: 10)
                }
                #expect(event != nil)
            }
            #expect(try passes(through: "Lead voice", patchbay))
        }

        @Test(
            "no sample is lost while the buffer size changes repeatedly",
            .onJack("samples were sometimes missing when PipeWire changed its quantum"))
        func restlessBufferSizes() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(.chain())
            defer { session.stop() }
            let (player, recorder) = try patchbay.steadySound(through: "Lead voice")
            defer { player.close() }
            for frames in [16, 4_096, 31, 1_024, 17, 2_048, 128, 4_095, 64] {
                TestServer.shared.setBufferSize(frames, by: patchbay.client.handle)
                let count = recorder.recorded.count
                #expect(waitUntil { recorder.recorded.count > count + 4_096 ? true : nil } == true)
            }
            let recorded = recorder.recorded
            let start = try #require(recorded.firstIndex(of: 0.5))
            // The crossfades between the schedules of two block sizes may dip by a hundredth.
            let wrong = recorded[start...].indices.filter { abs(recorded[$0] - 0.5) > 0.006 }
            #expect(
                wrong.isEmpty,
                "\(wrong.count) frames, from \(wrong.first ?? 0) to \(wrong.last ?? 0) of \(recorded.count), lowest \(wrong.map { recorded[$0] }.min() ?? 0)"
            )
        }

        @Test("plays on while many connections and the buffer size change all the time")
        func restlessConnections() throws {
            let patchbay = try Patchbay()
            let channels = 16
            let folder = ScratchFolder()
            let file = folder.write(
                """
                {"version": 1, "name": "Wide", "inputs": {"in": {"channels": \(channels)}},
                 "outputs": {"out": {"channels": \(channels), "from": "in"}}, "nodes": []}
                """, to: "wide.json")
            // A program of its own, because its crash must not end the tests.
            let program = try Program([
                "run", file, "--json", "--server", TestServer.shared.name,
            ])
            #expect(program.waitFor(event: "started") != nil)
            let player = try #require(TestClient(named: "player"))
            player.prepareToPlay(Array(repeating: 0.5, count: 48_000 * 120))
            player.play()
            let sizes = [64, 1_024, 16, 4_096, 32, 256]
            for round in 0..<120 {
                if round % 6 == 0 {
                    TestServer.shared.setBufferSize(
                        sizes[round / 6 % 6], by: patchbay.client.handle)
                }
                for connects in [true, false] {
                    for channel in 1...channels {
                        let input = "Wide:in_\(channel)"
                        if connects {
                            patchbay.connect("player:out", input)
                        } else {
                            patchbay.disconnect("player:out", input)
                        }
                    }
                    usleep(4_000)
                }
            }
            TestServer.shared.setBufferSize(64, by: patchbay.client.handle)
            patchbay.connect("player:out", "Wide:in_1")
            #expect(program.waitFor(text: "\"port\": \"out_1\", \"peak_db\": -6.0") == true)
            kill(program.process, SIGTERM)
            #expect(program.waitForStatus() == 0)
        }

        @Test(
            "the session plays through the start and end of freewheeling", .onJackForFreewheeling)
        func freewheel() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(.chain())
            defer { session.stop() }
            jack_set_freewheel(patchbay.client.handle, 1)
            #expect(session.waitFor { $0 == .freewheel(isOn: true) } != nil)
            jack_set_freewheel(patchbay.client.handle, 0)
            #expect(session.waitFor { $0 == .freewheel(isOn: false) } != nil)
            #expect(try passes(through: "Lead voice", patchbay))
        }

        @Test(
            "leaving a freewheeling server leaves it in order for the next client",
            .onJackForFreewheeling)
        func leavingFreewheel() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(.chain())
            jack_set_freewheel(patchbay.client.handle, 1)
            #expect(session.waitFor { $0 == .freewheel(isOn: true) } != nil)
            #expect(session.stop() == .requested)
            let next = try RunningSession(.chain("Next"))
            defer { next.stop() }
            #expect(try passes(through: "Next", patchbay))
        }

        @Test("the level starts and ends in silence, without a jump")
        func fades() throws {
            let patchbay = try Patchbay()
            let player = try #require(TestClient(named: "player"))
            let recorder = try #require(TestClient(named: "recorder"))
            player.prepareToPlay(Array(repeating: 0.5, count: 480_000))
            player.play()
            recorder.prepareToRecord(frames: 480_000)
            let session = try RunningSession(
                .chain(
                    connectInput: [.port("player:out")], connectOutput: [.port("recorder:in")]))
            #expect(patchbay.waits("Lead voice:main", "recorder:in"))
            #expect(waitUntil { recorder.recorded.last == 0.5 ? true : nil } == true)
            #expect(session.stop() == .requested)
            let recorded = recorder.recorded
            let end = try #require(recorded.lastIndex { $0 != 0 })
            #expect(recorded[end] < 0.01)
            let fall = try #require(recorded.lastIndex { $0 == 0.5 })
            #expect((2_300...2_500).contains(end - fall))
        }

        @Test("a command changes a value, and a node that outputs NaN is reported")
        func command() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(
                .chain(lateFrames: [0], connectInput: [.port("system:capture_1")]))
            defer { session.stop() }
            #expect(patchbay.waits("system:capture_1", "Lead voice:mic"))
            session.remote.send(.set(node: 0, target: 0, value: .nan, frame: 0))
            #expect(session.waitFor { $0 == .nonFinite(node: "late0") } != nil)
        }

        @Test("a time limit ends the session")
        func duration() throws {
            _ = try Patchbay()
            let session = try RunningSession(.chain()) { $0.durationSeconds = 0.2 }
            #expect(session.waitForEnd() == .durationOver)
            guard case .ended(let summary) = session.reported.last else {
                Issue.record("the end was not told")
                return
            }
            #expect(summary.seconds >= 0.2)
        }

        @Test("a status reports the outputs' peaks")
        func status() throws {
            let patchbay = try Patchbay()
            let player = try #require(TestClient(named: "player"))
            player.prepareToPlay(Array(repeating: 0.25, count: 480_000))
            player.play()
            let session = try RunningSession(.chain(connectInput: [.port("player:out")]))
            defer { session.stop() }
            #expect(patchbay.waits("player:out", "Lead voice:mic"))
            let status = session.waitFor {
                guard case .status(let status) = $0 else { return false }
                return status.outputs.map(\.port) == ["main"] && status.outputs[0].peak == 0.25
            }
            #expect(status != nil)
        }

        /// Returns whether an impulse at the input reaches the output.
        private func passes(through name: String, _ patchbay: Patchbay) throws -> Bool {
            let player = try #require(TestClient(named: "player"))
            let recorder = try #require(TestClient(named: "recorder"))
            player.prepareToPlay(Array(repeating: 0.5, count: 4_800))
            recorder.prepareToRecord(frames: 480_000)
            patchbay.connect("player:out", "\(name):mic")
            patchbay.connect("\(name):main", "recorder:in")
            player.play()
            return waitUntil { recorder.recorded.contains(0.5) ? true : nil } ?? false
        }

        private func waitForFrames(_ count: Int, _ recorder: TestClient) {
            #expect(waitUntil { recorder.recorded.count >= count ? true : nil } == true)
        }

        /// Returns the engine's output for a mono sequence followed by silence.
        private func render(_ pipeline: Pipeline, _ sequence: [Float]) throws -> [Float] {
            let format = AudioFormat(sampleRate: 48_000, maximumBlockFrames: 64)
            let engine = Engine(
                playing: try Schedule(
                    preparing: pipeline, catalogue: LatencyEffect.catalogue, format: format))
            let input = sequence + Array(repeating: 0, count: 37)
            var output = [Float](repeating: 0, count: input.count)
            input.withUnsafeBufferPointer { input in
                output.withUnsafeMutableBufferPointer { output in
                    guard let from = input.baseAddress, let to = output.baseAddress else { return }
                    withUnsafePointer(to: from) { inputs in
                        withUnsafePointer(to: to) { outputs in
                            engine.audio.render(
                                frameCount: input.count, inputs: inputs, outputs: outputs)
                        }
                    }
                }
            }
            return output
        }
    }
}
