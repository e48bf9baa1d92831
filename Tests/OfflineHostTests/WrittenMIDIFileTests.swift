import OfflineHost
import Testing

@Suite("A written MIDI file")
struct WrittenMIDIFileTests {
    private func written(
        _ messages: [(frame: Int, bytes: [UInt8])], lengthFrames: Int
    ) throws -> MIDIFile {
        let contents = MIDIFileWriter(sampleRate: 48_000)
            .contents(of: messages, lengthFrames: lengthFrames)
        return try MIDIFile(bytes: contents, path: "song.mid")
    }

    @Test("can be read with a pause of hours before a message and before the end")
    func longPause() throws {
        let song = try written(
            [(400_000_000, [0x90, 60, 1]), (400_000_000, [0x80, 60, 0])],
            lengthFrames: 1_200_000_000)
        #expect(song.events.map(\.bytes) == [[0x90, 60, 1], [0x80, 60, 0]])
        #expect(song.events.map { ($0.seconds * 48_000).rounded() } == [400_000_000, 400_000_000])
        #expect((song.seconds * 48_000).rounded() == 1_200_000_000)
    }

    @Test(
        "can be read whatever bytes a plugin gave as a message",
        arguments: [
            [0x90], [0x90, 60], [0x90, 60, 1, 2], [0x90, 200, 1], [0xC0], [0xC0, 1, 2],
            [0xBF, 0x3F, 0xFB, 40, 40], [0xF0], [0xF2, 1],
        ] as [[UInt8]])
    func strangeMessage(_ bytes: [UInt8]) throws {
        let song = try written(
            [(0, bytes), (10, [0x90, 60, 1])], lengthFrames: 20)
        #expect(song.events.map(\.bytes) == [bytes, [0x90, 60, 1]])
    }
}
