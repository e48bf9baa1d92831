import Glibc
import OfflineHost
import Testing
import TestSignals

@Suite("MIDI files")
struct MIDIFileTests {
    private typealias Event = MIDIFile.Event

    /// Returns a file with these tracks, each with its header.
    private func file(_ tracks: [[UInt8]], format: UInt8 = 1, division: [UInt8] = [0x01, 0xe0])
        -> [UInt8]
    {
        var bytes: [UInt8] = Array("MThd".utf8) + [0, 0, 0, 6, 0, format, 0, UInt8(tracks.count)]
        bytes += division
        for track in tracks {
            let count = [UInt8(track.count >> 8), UInt8(track.count & 0xff)]
            bytes += Array("MTrk".utf8) + [0, 0] + count + track
        }
        return bytes
    }

    private func read(_ bytes: [UInt8]) throws -> MIDIFile {
        try MIDIFile(bytes: bytes, path: "song.mid")
    }

    @Test(
        "running status is supported, and ticks of a quarter use the default tempo if none is set"
    )
    func runningStatus() throws {
        // 480 ticks are half a second.
        let song = try read(
            file(
                [
                    [
                        0, 0x90, 60, 100, 0x83, 0x60, 60, 0, 0x60, 0xc1, 5, 0, 6, 0x81, 0x70, 0xff,
                        0x2f, 0,
                    ]
                ], format: 0))
        #expect(
            song.events == [
                Event(seconds: 0, bytes: [0x90, 60, 100]),
                Event(seconds: 0.5, bytes: [0x90, 60, 0]),
                Event(seconds: 0.6, bytes: [0xc1, 5]), Event(seconds: 0.6, bytes: [0xc1, 6]),
            ])
        #expect(abs(song.seconds - 0.85) < 1e-12)
    }

    @Test("tracks play together, at the tempos set in any of them")
    func tempo() throws {
        let tempos: [UInt8] = [
            0, 0xff, 0x51, 3, 0x0f, 0x42, 0x40,  // one second per quarter
            0x83, 0x60, 0xff, 0x51, 3, 0x03, 0xd0, 0x90,  // a quarter of a second per quarter
            0, 0xff, 0x2f, 0,
        ]
        let notes: [UInt8] = [
            0x81, 0x70, 0x90, 1, 1, 0x83, 0x60, 2, 2, 0x83, 0x60, 3, 3, 0, 0xff, 0x2f, 0,
        ]
        let song = try read(file([tempos, notes]))
        #expect(song.events.map(\.seconds) == [0.5, 1.125, 1.375])
        #expect(song.events.map { $0.bytes[1] } == [1, 2, 3])
    }

    @Test("ticks may be fractions of a second")
    func seconds() throws {
        let song = try read(
            file([[0x81, 0x48, 0x90, 1, 1, 0, 0xff, 0x2f, 0]], division: [0xe7, 40]))
        #expect(song.events.map(\.seconds) == [0.2])
    }

    @Test(
        "system exclusive messages are assembled from their pieces; unknown chunks are skipped"
    )
    func exclusive() throws {
        var bytes = file([
            [
                0, 0xf0, 3, 1, 2, 3, 10, 0xf7, 2, 4, 0xf7, 0, 0xf7, 1, 0xfe, 0, 0xff, 1, 1, 65, 0,
                0xff, 0x2f, 0,
            ]
        ])
        bytes.insert(contentsOf: Array("XYZW".utf8) + [0, 0, 0, 1, 9], at: 14)
        #expect(try read(bytes).events.map(\.bytes) == [[0xf0, 1, 2, 3, 4, 0xf7], [0xfe]])
    }

    @Test(
        "a broken file is refused with its name, the byte offset and the reason",
        arguments: [
            ([], 0, "not a standard MIDI file"),
            (Array("RIFF".utf8), 0, "not a standard MIDI file"),
            (
                Array("MThd".utf8) + [0, 0, 0, 6, 0], 4,
                "the file declares 6 bytes, but only 1 remain"
            ),
            (Array("MThd".utf8) + [0, 0, 0, 6, 0, 2, 0, 1, 0, 1], 8, "MIDI file format 2"),
            (
                Array("MThd".utf8) + [0, 0, 0, 6, 0, 1, 0, 1, 0, 0], 12,
                "a quarter note has 0 ticks"
            ),
            (Array("MThd".utf8) + [0, 0, 0, 6, 0, 1, 0, 1, 0x80, 1], 12, "invalid tick length"),
            (
                Array("MThd".utf8) + [0, 0, 0, 6, 0, 1, 0, 2, 0, 1], 14,
                "the file ends after 0 of 2 tracks"
            ),
        ] as [([UInt8], Int, String)])
    func brokenHeader(_ bytes: [UInt8], _ byte: Int, _ reason: String) throws {
        try check(bytes, byte, reason)
    }

    @Test(
        "a broken track is refused with the byte offset and the reason",
        arguments: [
            ([0, 60, 1], 23, "expected a status byte, found 60"),
            ([0, 0x90, 60, 200], 25, "expected a data byte (0 to 127), found 200"),
            ([0, 0x90, 60], 25, "the file ends here"),
            ([0x81, 0x81, 0x81, 0x81, 1], 22, "a number has more than 4 bytes"),
            ([0, 0xf2, 1, 1], 23, "status 242 is not allowed"),
            ([0, 0xf0, 9, 1], 24, "the track declares 9 bytes, but only 1 remain"),
            ([0, 0xff, 0x51, 2, 1, 1], 25, "a tempo must be a 3-byte number"),
        ] as [([UInt8], Int, String)])
    func brokenTrack(_ track: [UInt8], _ byte: Int, _ reason: String) throws {
        try check(file([track]), byte, reason)
    }

    private func check(_ bytes: [UInt8], _ byte: Int, _ reason: String) throws {
        let error = #expect(throws: MIDIFileError.self) { try read(bytes) }
        #expect(
            error?.description.hasPrefix("song.mid: byte \(byte): ") == true,
            "\(error?.description ?? "")")
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test("a file of random bytes after a valid header is at most refused")
    func random() {
        var state: UInt64 = 7
        for _ in 0..<2000 {
            let track = (0..<60).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 56)
            }
            let song = try? read(file([track]))
            #expect(song.map { $0.events.allSatisfy { !$0.bytes.isEmpty } } ?? true)
        }
    }

    @Test(
        "a written file is read back with the same frames",
        arguments: [44_100.0, 48_000, 96_000, 192_000])
    func roundTrip(sampleRate: Double) throws {
        let messages: [(frame: Int, bytes: [UInt8])] = [
            (0, [0x90, 60, 1]), (1, [0x80, 60, 0]), (1, [0xf0, 1, 2, 0xf7]), (123_457, [0xc0, 9]),
            (9_000_001, [0xf8]),
        ]
        let contents = MIDIFileWriter(sampleRate: sampleRate)
            .contents(of: messages, lengthFrames: 9_000_100)
        let song = try read(contents)
        #expect(
            song.events.map { Int(($0.seconds * sampleRate).rounded()) } == messages.map(\.frame))
        #expect(song.events.map(\.bytes) == messages.map(\.bytes))
        #expect(Int((song.seconds * sampleRate).rounded()) == 9_000_100)
    }

    @Test("a file that lasts millions of years renders for the requested length")
    func longest() throws {
        // A tick lasts 16.8 s, and there are 2^28 ticks between two notes.
        let tempo: [UInt8] = [0, 0xff, 0x51, 3, 0xff, 0xff, 0xff, 0, 0x90, 1, 1]
        let pause: [UInt8] = [0xff, 0xff, 0xff, 0x7f, 1, 1]
        let track = tempo + (0..<10_000).flatMap { _ in pause }
        let song = file([track + [0, 0xff, 0x2f, 0]], division: [0, 1])
        let rendering = try Rendering(
            """
            "inputs": { "in": { "channels": 1 }, "keys": { "kind": "midi" } },
            "outputs": { "out": { "channels": 1 } }, "nodes": [ { "id": "a", "type": "gain" } ]
            """)
        let path = rendering.folder.file("song.mid")
        let stream = try #require(fopen(path, "wb"))
        fwrite(song, 1, song.count, stream)
        fclose(stream)
        var request = RenderRequest(
            inputs: [.init("keys", path)],
            outputs: [.init("out", rendering.folder.file("out.wav"))],
            sampleRate: 768_000)
        request.lengthSeconds = 0.01
        #expect(try rendering.outputs(request)[0][0].count == 7680)
    }
}
