import Engine
import LV2
import Processing
import Testing

@Suite("MIDI through plugins")
struct EventTests {
    typealias Message = EventPlayer.Message

    /// Returns the sample with which the echo plugin represents a message of three bytes.
    private func shown(_ bytes: [UInt8]) -> Float {
        Float(Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])) / 16_777_216
    }

    /// Notes at frames that no block size divides, two of them at the same frame.
    private let notes = [0, 1, 63, 64, 97, 97, 500, 1023, 2999].enumerated().map { index, frame in
        Message(frame: frame, bytes: [0x90, UInt8(index + 1), 100])
    }

    @Test(
        "each message sounds and is sent on at its frame, for any block size",
        arguments: [1, 7, 64, 100, 256, 3000], [64, 256])
    func frames(callFrames: Int, preparedFrames: Int) throws {
        let player = try EventPlayer.playing("echo", channels: 1, blockFrames: preparedFrames)
        var sound: [Float] = []
        for start in stride(from: 0, to: 3000, by: callFrames) {
            let end = min(3000, start + callFrames)
            let due = notes.filter { (start..<end).contains($0.frame) }.map {
                Message(frame: $0.frame - start, bytes: $0.bytes)
            }
            sound += player.render(end - start, due)[0]
        }
        var expected = [Float](repeating: 0, count: 3000)
        for note in notes { expected[note.frame] += shown(note.bytes) }
        #expect(sound == expected)
        #expect(player.given == notes)
    }

    @Test("a message after the call's end counts at its last frame")
    func late() throws {
        let player = try EventPlayer.playing("echo", channels: 1)
        let sound = player.render(64, [Message(frame: 80, bytes: [0x90, 1, 2])])[0]
        #expect(sound.firstIndex { $0 != 0 } == 63)
    }

    @Test("a system exclusive message of 4 KB arrives complete")
    func exclusive() throws {
        let player = try EventPlayer.playing("echo", channels: 1)
        let message = Message(frame: 9, bytes: [0xf0] + Array(repeating: 1, count: 4094) + [0xf7])
        let sound = player.render(64, [message])[0]
        #expect(sound[9] == 4096.0 / 16_777_216.0)
        #expect(player.given == [message])
    }

    @Test(
        "messages that do not fit into a plugin's buffer are dropped whole and reported"
    )
    func overflow() throws {
        let player = try EventPlayer.playing("echo", channels: 1)
        // A buffer of 8192 bytes has 8176 bytes after its headers: room for 340 messages of 24
        // bytes, and 16 bytes more.
        let notes = (0..<400).map { Message(frame: 5, bytes: [0x90, UInt8($0 % 100), 1]) }
        let large = Message(frame: 6, bytes: [0xf0] + Array(repeating: 1, count: 9000) + [0xf7])
        _ = player.render(64, notes + [large])
        #expect(player.given == Array(notes[..<340]))
        for _ in 0..<100 { _ = player.render(64) }
        #expect(player.dropped == [[0, 61]])
        #expect(player.given.count == 340)
    }

    @Test("a plugin gets a buffer of 50 MB if it requests one; one of 5 GB is refused")
    func room() throws {
        let player = try EventPlayer.playing("roomy", channels: 1)
        let bytes = [0xf0] + [UInt8](repeating: 1, count: 40_000_000) + [0xf7]
        _ = player.render(64, [Message(frame: 3, bytes: bytes)])
        #expect(player.given.map(\.bytes.count) == [40_000_002])
        let error = #expect(throws: PluginError.self) {
            try HostileBundle.world.description(ofPlugin: "urn:stompline-test:greedy")
        }
        #expect(error?.message.contains("its port 'events' requires more than") == true)
    }

    @Test("an instrument played live by a message sounds from that message's frame on")
    func instrument() throws {
        let player = try EventPlayer(
            """
            { "version": 1, "inputs": { "keys": { "kind": "midi" } },
              "outputs": { "out": { "channels": 2, "limiter": false } },
              "nodes": [{ "id": "piano", "type": "lv2",
                "uri": "http://drobilla.net/plugins/mda/Piano", "events": "keys" }] }
            """)
        let before = player.render(4800)[0]
        let after = player.render(4800, [Message(frame: 1000, bytes: [0x90, 60, 100])])[0]
        #expect(before.allSatisfy { $0 == 0 })
        let first = try #require(after.firstIndex { $0 != 0 })
        #expect((1000..<1064).contains(first))
        #expect(after.map(abs).max() ?? 0 > 0.05)
    }
}
