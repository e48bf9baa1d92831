import CRealtime
import Engine
import LV2
import Processing
import Testing

/// Blocks have 64 frames, which is the latency of `true`.
@Suite("MIDI and time of isolated plugins")
struct IsolatedEventTests {
    typealias Message = EventPlayer.Message

    static let ways = [("true", 64), ("\"same-cycle\"", 0)]

    /// Notes at frames that no block size divides, two of them at the same frame.
    private let notes = [0, 1, 63, 64, 97, 97, 500, 1023, 2800].enumerated().map { index, frame in
        Message(frame: frame, bytes: [0x90, UInt8(index + 1), 100])
    }

    private func echo(_ isolate: String) throws -> EventPlayer {
        try .playing("echo", channels: 1, isolate.isEmpty ? "" : ", \"isolate\": \(isolate)")
    }

    /// Plays the notes in calls of `callFrames` frames.
    private func play(_ player: EventPlayer, callFrames: Int) -> [Float] {
        var sound: [Float] = []
        for start in stride(from: 0, to: 3000, by: callFrames) {
            let end = min(3000, start + callFrames)
            let due = notes.filter { (start..<end).contains($0.frame) }.map {
                Message(frame: $0.frame - start, bytes: $0.bytes)
            }
            sound += player.render(end - start, due)[0]
        }
        return sound
    }

    @Test(
        "each message sounds and is sent on at its frame, a block later, for any call length",
        arguments: ways, [1, 7, 64, 100, 3000])
    func frames(_ way: (isolate: String, delay: Int), callFrames: Int) throws {
        let here = play(try echo(""), callFrames: 64)
        let player = try echo(way.isolate)
        let sound = play(player, callFrames: callFrames)
        #expect(here.contains { $0 != 0 })
        #expect(sound == Array(repeating: 0, count: way.delay) + here.dropLast(way.delay))
        #expect(
            player.given == notes.map { Message(frame: $0.frame + way.delay, bytes: $0.bytes) })
    }

    @Test("messages that do not fit into a plugin's buffer are dropped whole and reported")
    func overflow() throws {
        let player = try echo("true")
        let notes = (0..<400).map { Message(frame: 5, bytes: [0x90, UInt8($0 % 100), 1]) }
        let large = Message(frame: 6, bytes: [0xf0] + Array(repeating: 1, count: 9000) + [0xf7])
        _ = player.render(64, notes + [large])
        for _ in 0..<100 { _ = player.render(64) }
        #expect(player.given == notes[..<340].map { Message(frame: 69, bytes: $0.bytes) })
        #expect(player.dropped == [[0, 61]])
    }

    @Test("a message too large for the ring is dropped whole and reported; others pass")
    func large() throws {
        let player = try EventPlayer.playing("roomy", channels: 1, ", \"isolate\": true")
        let sizes = [500_000, 2_000_000, 3]
        let messages = sizes.map { size in
            Message(
                frame: 3, bytes: [0xf0] + [UInt8](repeating: 1, count: size - 2) + [0xf7])
        }
        _ = player.render(64, messages)
        for _ in 0..<100 { _ = player.render(64) }
        #expect(player.given.map(\.bytes.count) == [500_000, 3])
        #expect(player.dropped == [[0, 1]])
    }

    @Test("a plugin receives the same time and freewheeling state, block by block", arguments: ways)
    func time(_ way: (isolate: String, delay: Int)) throws {
        let players = try ["", ", \"isolate\": \(way.isolate)"].map { node in
            try EventPlayer(
                """
                { "version": 1, "inputs": {}, "tempo": 97.5,
                  "outputs": { "out": { "channels": 8, "limiter": false } }, "nodes": [
                    { "id": "clock", "type": "lv2", "uri": "urn:stompline-test:clock"\(node) }] }
                """)
        }
        let sounds = players.map(clockScript)
        for channel in 0..<8 {
            #expect(
                sounds[1][channel].dropFirst(way.delay)
                    == sounds[0][channel].dropLast(way.delay))
            #expect(Set(sounds[0][channel]).count > 1)
        }
    }

    /// Rolls, changes the tempo, follows an external transport, and freewheels.
    private func clockScript(_ player: EventPlayer) -> [[Float]] {
        var sound = [[Float]](repeating: [], count: 8)
        func render(_ transport: RTTransport? = nil, isFreewheeling: Bool = false) {
            for channel in player.render(64, transport: transport, isFreewheeling: isFreewheeling)
                .enumerated()
            {
                sound[channel.offset] += channel.element
            }
        }
        for _ in 0..<2000 { render() }
        #expect(player.engine.send(.tempo(beatsPerMinute: 60)))
        for _ in 0..<10 { render() }
        var time = RTTransport()
        (time.isRolling, time.frame) = (true, 48_000)
        for _ in 0..<10 {
            render(time)
            time.frame += 64
        }
        time.isRolling = false
        for _ in 0..<4 { render(time) }
        for _ in 0..<4 { render(time, isFreewheeling: true) }
        return sound
    }

    @Test(
        "instruments sound the same to the bit", arguments: ways,
        [
            "http://drobilla.net/plugins/mda/Piano", "http://drobilla.net/plugins/mda/JX10",
            "http://drobilla.net/plugins/mda/DX10", "http://drobilla.net/plugins/mda/EPiano",
        ])
    func instruments(_ way: (isolate: String, delay: Int), uri: String) throws {
        let sounds = try ["", ", \"isolate\": \(way.isolate)"].map { node in
            let player = try EventPlayer(
                """
                { "version": 1, "inputs": { "keys": { "kind": "midi" } },
                  "outputs": { "out": { "channels": 2, "limiter": false } },
                  "nodes": [{ "id": "i", "type": "lv2", "uri": "\(uri)", "events": "keys"\(node) }] }
                """)
            return (0..<300).flatMap { block in
                let key: [Message] =
                    switch block {
                    case 3: [Message(frame: 17, bytes: [0x90, 60, 100])]
                    case 9: [Message(frame: 5, bytes: [0xe0, 10, 90])]
                    case 150: [Message(frame: 40, bytes: [0x80, 60, 0])]
                    default: []
                    }
                return player.render(64, key)[0]
            }
        }
        #expect(sounds[0].contains { $0 != 0 })
        #expect(
            sounds[1].dropFirst(way.delay).map(\.bitPattern)
                == sounds[0].dropLast(way.delay).map(\.bitPattern))
    }
}

extension EventPlayer {
    /// The reports of dropped messages: node and count.
    var dropped: [[Int]] {
        reports.compactMap {
            if case .droppedMessages(let node, let count) = $0 {
                [Int(node), Int(count)]
            } else {
                nil
            }
        }
    }
}
