import CJack
import JackHost
import SessionCore
import Testing

extension JackTests {
    /// Other JACK clients that announce nonsensical numbers.
    @Suite struct StrangeClientTests {
        @Test(
            "a source with the largest latency is reported with the largest latency, and the sound passes",
            .onJack("PipeWire 0.3.65 did not report so large a latency"))
        func latency() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(.chain(lateFrames: [37]))
            defer { session.stop() }
            let player = try #require(TestClient(named: "latest"))
            defer { player.close() }
            let port = try #require(player.addPort("far", isInput: false))
            jack_set_latency_callback(
                player.handle,
                { mode, port in
                    var range = jack_latency_range_t(min: .max, max: .max)
                    jack_port_set_latency_range(port.map { OpaquePointer($0) }, mode, &range)
                }, UnsafeMutableRawPointer(port))
            player.start()
            patchbay.connect("latest:far", "Lead voice:mic")
            let isReported = waitUntil {
                patchbay.latency("Lead voice:main", JackCaptureLatency) == Int(UInt32.max)
                    ? true : nil
            }
            #expect(isReported == true)
            _ = try patchbay.steadySound(through: "Lead voice")
        }

        @Test("a nonsensical timebase does not interrupt the sound")
        func timebase() throws {
            let patchbay = try Patchbay()
            let session = try RunningSession(.chain())
            defer { session.stop() }
            let conductor = try #require(TestClient(named: "conductor"))
            defer { conductor.close() }
            let status = jack_set_timebase_callback(
                conductor.handle, 0,
                { _, _, position, _, _ in
                    guard let position else { return }
                    position.pointee.valid = JackPositionBBT
                    (position.pointee.bar, position.pointee.beat) = (.max, .max)
                    (position.pointee.tick, position.pointee.ticks_per_beat) = (.max, 1e-300)
                    (position.pointee.beats_per_bar, position.pointee.beat_type) = (1e-30, .nan)
                    position.pointee.beats_per_minute = .infinity
                }, nil)
            #expect(status == 0)
            conductor.start()
            jack_transport_start(patchbay.client.handle)
            defer {
                jack_transport_stop(patchbay.client.handle)
                jack_transport_locate(patchbay.client.handle, 0)
            }
            let isRolling = waitUntil {
                var position = jack_position_t()
                let state = jack_transport_query(patchbay.client.handle, &position)
                return state == JackTransportRolling && position.beats_per_minute == .infinity
                    ? true : nil
            }
            #expect(isRolling == true)
            _ = try patchbay.steadySound(through: "Lead voice")
        }
    }
}
