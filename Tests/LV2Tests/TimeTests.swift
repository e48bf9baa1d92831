import CRealtime
import Engine
import Testing

@Suite("Time and freewheeling as plugins are told")
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
        "without a transport from outside time rolls from the first frame at the pipeline's tempo, told once"
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

    @Test("a tempo set live is told at once, with the bar and the beat that it begins at")
    func tempo() throws {
        let player = try player()
        // 120 beats a minute at 48 kHz: 24,000 frames a beat, four beats a bar.
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
        "a transport from outside counts from its first use on, and is told where it starts, stops and jumps"
    )
    func outside() throws {
        let player = try player()
        var time = RTTransport()
        // Stopped at its beginning, as JACK's is where nobody uses it.
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

    @Test("beats from outside are passed on, and go on within a call longer than what was prepared")
    func beats() throws {
        let player = try player()
        var time = RTTransport()
        (time.isRolling, time.hasBeats, time.beatsPerMinute) = (true, true, 150)
        (time.beatsPerBar, time.beatUnit, time.bar, time.barBeat) = (3, 8, 6, 2.5)
        time.frame = 1000
        // In pieces of 64 frames, of which the first alone is told.
        let sound = player.render(6400, transport: time)
        #expect(sound[Channel.told.rawValue] == Array(repeating: 1, count: 6400))
        #expect(last(sound, .tempo) == 150)
        #expect(last(sound, .bar) == 6)
        #expect(last(sound, .barBeat) == 2.5)
        #expect(last(sound, .frame) == 1000)
    }

    @Test("the freewheel port is 1 while nobody waits")
    func freewheel() throws {
        let player = try player()
        #expect(last(player.render(64), .freewheel) == 0)
        #expect(last(player.render(64, isFreewheeling: true), .freewheel) == 1)
        #expect(last(player.render(64), .freewheel) == 0)
    }
}
