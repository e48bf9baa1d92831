internal import CRealtime
@testable internal import OfflineHost

extension FuzzTarget {
    /// Standard MIDI files: read, played block by block and written again.
    static let midiFile = FuzzTarget(
        name: "midi-file",
        run: { bytes in
            guard let file = try? MIDIFile(bytes: bytes, path: "fuzz.mid") else { return }
            require(file.seconds.isFinite && file.seconds >= 0, "it lasts \(file.seconds) s")
            for (event, next) in zip(file.events, file.events.dropFirst()) {
                require(event.seconds <= next.seconds, "the events are not in order")
            }
            let feed = MIDIFeed(file, sampleRate: 48_000)
            var given = 0
            for block in 0..<8 {
                let messages = feed.messages(from: block * 4_096, count: 4_096)
                given += Int(messages.count)
            }
            require(given <= file.events.count, "more events are played than there are")
            // The writer's numbers have at most 28 bits.
            let frames = file.events.map { ($0.seconds * 48_000).rounded() }
            guard frames.allSatisfy({ $0 < 268_435_455 }), feed.lengthFrames < 268_435_455 else {
                return
            }
            let written = MIDIFileWriter(sampleRate: 48_000).contents(
                of: zip(frames, file.events).map { (Int($0), $1.bytes) },
                lengthFrames: feed.lengthFrames)
            guard (try? MIDIFile(bytes: written, path: "copy.mid")) != nil else {
                fatalError("what was written cannot be read")
            }
        },
        seeds: {
            let head = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 1, 0xE0]
            let track: [UInt8] = [
                0, 0xFF, 0x51, 3, 7, 0xA1, 0x20, 0, 0x90, 60, 100, 0x83, 0x60, 60, 0, 10, 0xF0, 3,
                1, 2, 0xF7,
                5, 0xC0, 4, 0, 0xFF, 0x2F, 0,
            ]
            return [
                head + Array("MTrk".utf8) + [0, 0, 0, UInt8(track.count)] + track,
                Array("MThd".utf8) + [0, 0, 0, 6, 0, 1, 0, 2, 0xE7, 40] + Array("MTrk".utf8)
                    + [0, 0, 0, 4, 0, 0xFF, 0x2F, 0] + Array("MTrk".utf8) + [
                        0, 0, 0, 3, 0x81, 0xC0, 1,
                    ],
            ]
        })
}
