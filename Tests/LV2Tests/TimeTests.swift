import CRealtime
import Engine
import Testing

@Suite("Time and freewheeling in plugins")
struct TimeTests {
    /// The channels of the plugin that shows time.
    private enum Channel: Int {
        case told, tempo, speed, frame, barBeat, bar, tempoPort, freewheel
    }

    private func last(_ sound: [[Float]], _ channel: Channel) -> Float? {
        sound[channel.rawValue].last
    }

    private func player(tempo: String = "") throws -> EventPlayer {
        try EventPlayer(
            """
            { "version": 1, "inputs": {}, \(tempo)
              "outputs": { "out": { "channels": 8, "limiter": false } },
              "nodes": [{ "id": "clock", "type": "lv2", "uri": "urn:stompline-test:clock" }] }
            """)
    }

    @Test(
        "without an external transport, time rolls from frame 0 at the pipeline's tempo, sent once"
    )
    func own() throws {
        let player = try player(tempo: "\"tempo\": 97.5,")
        var sound = player.render(64)
        #expect(last(sound, .told) == 1)
        #expect(last(sound, .tempo) == 97.5)
        #expect(last(sound, .tempoPort) == 97.5)
        #expect(last(sound, .speed) == 1)
        #expect(last(sound, .frame) == 0)
        for _ in 0..<1000 { sound = player.render(100) }
        #expect(last(sound, .told) == 1)
    }

    @Test("a live tempo is sent immediately, with the bar and the beat at which it starts")
    func tempo() throws {
        let player = try player()
        // 120 beats per minute at 48 kHz: 24,000 frames per beat, four beats per bar.
        _ = player.render(96_000 + 48_000 + 12_000)
        #expect(player.engine.send(.tempo(beatsPerMinute: 60)))
        _ = player.render(64)
        let sound = player.render(64)
        #expect(last(sound, .told) == 2)
        #expect(last(sound, .tempo) == 60)
        #expect(last(sound, .tempoPort) == 60)
        #expect(last(sound, .bar) == 1)
        let beat = try #require(last(sound, .barBeat))
        #expect(abs(beat - (2.5 + 64 / 48_000)) < 0.01)
    }

    @Test(
        "an external transport counts from its first use, and its starts, stops and jumps are sent"
    )
    func outside() throws {
        let player = try player()
        var time = RTTransport()
        // Stopped at its start, as JACK's transport is if no client uses it.
        var sound = player.render(64, transport: time)
        #expect(last(sound, .speed) == 1)
        time.frame = 48_000
        sound = player.render(64, transport: time)
        #expect(last(sound, .told) == 2)
        #expect(last(sound, .speed) == 0)
        #expect(last(sound, .frame) == 48_000)
        time.isRolling = true
        sound = player.render(64, transport: time)
        #expect(last(sound, .told) == 3)
        for _ in 0..<10 {
            time.frame += 64
            sound = player.render(64, transport: time)
        }
        #expect(last(sound, .told) == 3)
        time.frame = 0
        time.isRolling = false
        sound = player.render(64, transport: time)
        #expect(last(sound, .told) == 4)
        #expect(last(sound, .speed) == 0)
        #expect(last(sound, .frame) == 0)
    }

    @Test("external beats are passed on, and continue in a call longer than the prepared block")
    func beats() throws {
        let player = try player()
        var time = RTTransport()
        (time.isRolling, time.hasBeats, time.beatsPerMinute) = (true, true, 150)
        (time.beatsPerBar, time.beatUnit, time.bar, time.barBeat) = (3, 8, 6, 2.5)
        time.frame = 1000
        // In pieces of 64 frames, of which only the first carries the time.
        let sound = player.render(6400, transport: time)
        #expect(sound[Channel.told.rawValue] == Array(repeating: 1, count: 6400))
        #expect(last(sound, .tempo) == 150)
        #expect(last(sound, .bar) == 6)
        #expect(last(sound, .barBeat) == 2.5)
        #expect(last(sound, .frame) == 1000)
    }

    @Test(
        "nonsensical external beats are replaced by the pipeline's own",
        arguments: [1e-300, 0, -1, 1e300, .infinity, .nan])
    func senselessBeats(number: Double) throws {
        let player = try player()
        var time = RTTransport()
        (time.isRolling, time.hasBeats, time.frame) = (true, true, 24_000)
        (time.beatsPerMinute, time.beatsPerBar, time.barBeat) = (number, 4, 1)
        let sound = player.render(64, transport: time)
        #expect(last(sound, .tempo) == 120)
        #expect(last(sound, .frame) == 24_000)
        #expect(last(sound, .barBeat) == 1)
    }

    @Test("the freewheel port is 1 while freewheeling")
    func freewheel() throws {
        let player = try player()
        #expect(last(player.render(64), .freewheel) == 0)
        #expect(last(player.render(64, isFreewheeling: true), .freewheel) == 1)
        #expect(last(player.render(64), .freewheel) == 0)
    }
}
