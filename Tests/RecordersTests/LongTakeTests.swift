import Glibc
import Recorders
import SoundFiles
import Testing
import TestSignals

@Suite("A long take")
struct LongTakeTests {
    @Test(
        "becomes RF64 when it is too large for WAV, and is readable before and after",
        arguments: [16, 24, 32])
    func beyondFourGibibytes(bits: Int) throws {
        let folder = ScratchFolder()
        let path = folder.file("long.wav")
        let file = try #require(try GrowingFile.make(path))
        let encoder = try WaveEncoder(file, channelCount: 2, sampleRate: 48_000, bits: bits)
        let silentFrames = (1 << 32 - 200_000) / (2 * bits / 8)
        // A hole takes no space on the disk.
        try encoder.writeSilence(silentFrames)
        try encoder.keep()
        #expect(try SoundFileReader(path: path).frameCount == silentFrames)
        #expect(try firstBytes(of: path) == "RIFF")

        let noise = whiteNoise(frames: 60_000)
        try write(noise, to: encoder)
        try encoder.keep()
        #expect(try SoundFileReader(path: path).frameCount == silentFrames + 60_000)
        try encoder.finish()
        #expect(try firstBytes(of: path) == "RF64")
        let reader = try SoundFileReader(path: path)
        #expect(reader.frameCount == silentFrames + 60_000)
        #expect((reader.channels, reader.sampleRate) == (2, 48_000))
        #expect(file.byteCount > 1 << 32)
    }

    private func firstBytes(of path: String) throws -> String {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4)
        fread(&bytes, 1, 4, file)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func write(_ samples: [Float], to encoder: WaveEncoder) throws {
        try samples.withUnsafeBufferPointer { samples in
            let base = try #require(samples.baseAddress)
            try [base, base].withUnsafeBufferPointer { channels in
                try encoder.write(samples.count, from: try #require(channels.baseAddress))
            }
        }
    }
}
