import Glibc
import SoundFiles
import Testing
import TestSignals

@Suite("Resampled sound")
struct ResampledSourceTests {
    @Test(
        "a tone keeps its time and level, 120 dB above the error",
        arguments: [44_100.0, 96_000, 22_050], [48_000.0, 44_101])
    func tone(from: Double, to: Double) throws {
        let seconds = 0.5
        let source = Samples(
            [sineWave(1000, frames: Int(seconds * from), sampleRate: from)], sampleRate: from)
        let resampled = try ResampledSource(source, at: to)
        let result = try resampled.readChannels()[0]
        #expect(result.count == Int((seconds * to).rounded()))
        let expected = sineWave(1000, frames: result.count, sampleRate: to)
        // The ends are excluded, because the sinc extends beyond the sound there.
        let middle = result.count / 5..<result.count * 4 / 5
        let error = middle.map { abs(result[$0] - expected[$0]) }.max() ?? 1
        #expect(20 * log10(error / 0.5) < -120)
    }

    @Test("channels are independent")
    func channels() throws {
        let tone = sineWave(500, frames: 20_000, sampleRate: 44_100)
        let silence = [Float](repeating: 0, count: tone.count)
        let source = Samples([silence, tone, silence], sampleRate: 44_100)
        let result = try ResampledSource(source, at: 48_000).readChannels()
        #expect(result[0].allSatisfy { $0 == 0 })
        #expect(result[2].allSatisfy { $0 == 0 })
        #expect((result[1].max() ?? 0) > 0.49)
    }

    @Test("the sound does not depend on the sizes of reads", arguments: [1, 7, 64, 10_000])
    func pieces(frames: Int) throws {
        let noise = whiteNoise(frames: 6000)
        let whole = try ResampledSource(Samples([noise], sampleRate: 44_100), at: 48_000)
            .readChannels()[0]
        let source = try ResampledSource(Samples([noise], sampleRate: 44_100), at: 48_000)
        var result: [Float] = []
        var piece = [Float](repeating: 0, count: frames)
        while true {
            let count = try piece.withUnsafeMutableBufferPointer { buffer in
                try buffer.baseAddress.map { try source.read(frames, into: $0) } ?? 0
            }
            if count == 0 { break }
            result += piece[..<count]
        }
        #expect(result == whole)
    }

    @Test("an empty source remains empty")
    func empty() throws {
        let source = Samples([[]], sampleRate: 44_100)
        #expect(try ResampledSource(source, at: 48_000).readChannels() == [[]])
    }

    @Test("rates with a ratio above 256 are refused")
    func farApart() {
        let source = Samples([[0]], sampleRate: 100)
        let fault = #expect(throws: SoundFileError.self) {
            try ResampledSource(source, at: 48_000)
        }
        #expect(fault?.reason.contains("100 Hz to 48000 Hz") == true)
    }

    /// A file whose header has a nonsensical length.
    private final class Announcing: SeekableSource {
        let path = "endless.ogg"
        let channels = 1
        let sampleRate = 44_100.0
        let frameCount: Int

        init(frameCount: Int) { self.frameCount = frameCount }

        func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) -> Int { 0 }
        func seek(to frame: Int) {}
    }

    @Test("a length that no file can have is an error", arguments: [Int.max - 1, 1 << 62, 1 << 41])
    func announcedLength(frames: Int) {
        let fault = #expect(throws: SoundFileError.self) {
            try ResampledSource(Announcing(frameCount: frames), at: 48_000)
        }
        #expect(fault?.path == "endless.ogg")
        #expect(fault?.reason.hasPrefix("it declares \(frames) frames") == true)
    }
}
