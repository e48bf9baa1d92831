import Glibc
import SoundFiles
import Testing
import TestSignals

@Suite("Seeking in sound files")
struct SeekTests {
    let folder = ScratchFolder()

    /// Reads at many positions, forwards and backwards, and compares the samples with the whole.
    private func check(
        _ source: any SeekableSource, positionCount: Int, within tolerance: Float = 0
    ) throws {
        let whole = try source.samples(source.frameCount)
        #expect(whole.count == source.frameCount * source.channels)
        let end = source.frameCount
        var state: UInt64 = 7
        let random = (0..<positionCount).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % end
        }
        for frame in [0, 1, end - 1, end, end / 2, end / 2 + 1] + random {
            try source.seek(to: frame)
            let part = try source.samples(min(2000, end - frame))
            let expected = whole[(frame * source.channels)...].prefix(2000 * source.channels)
            #expect(part.count == expected.count)
            let error = zip(part, expected).map { abs($0 - $1) }.max() ?? 0
            #expect(error <= tolerance, "frame \(frame) of \(end)")
        }
        try source.seek(to: end)
        #expect(try source.samples(10).isEmpty)
    }

    @Test(
        "reading from any frame gives the same bits as reading from the start",
        arguments: ["a.wav", "a.aiff", "a.caf", "a.au", "a.w64", "a.rf64", "a.flac", "a.opus"])
    func libsndfile(name: String) throws {
        let sound = sweep(frames: 150_000, sampleRate: 48_000)
        let path = try folder.write([sound, sound.reversed()], to: name)
        try check(SoundFile.open(path), positionCount: 40)
    }

    @Test(
        "the same applies to Ogg Vorbis and MP3, for which libsndfile is wrong after a seek",
        arguments: [
            ("a.ogg", ["-c:a", "libvorbis"]), ("b.ogg", ["-c:a", "libvorbis", "-q:a", "9"]),
            ("a.mp3", ["-b:a", "192k"]), ("b.mp3", ["-q:a", "3"]), ("c.mp3", ["-b:a", "32k"]),
        ])
    func lossy(name: String, options: [String]) throws {
        let sound = sweep(frames: 150_003, sampleRate: 44_100)
        let source = try folder.write([sound, sound.reversed()], to: "s.wav", sampleRate: 44_100)
        let reader = try SoundFile.open(
            folder.encode(source, to: name, options))
        #expect(reader is SoundFileReader)
        #expect(reader.frameCount == 150_003)
        try check(reader, positionCount: 60)
    }

    @Test(
        "the same applies to resampled sound", arguments: [48_000.0, 11_025, 44_101, 192_000])
    func resampled(rate: Double) throws {
        let sound = sweep(frames: 60_000, sampleRate: 44_100)
        let source = try Samples([sound, sound.reversed()], sampleRate: 44_100).frames(at: rate)
        #expect(source.sampleRate == rate)
        try check(source, positionCount: 20)
    }
}
