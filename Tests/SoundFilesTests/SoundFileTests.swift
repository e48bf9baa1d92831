import SoundFiles
import Testing
import TestSignals

@Suite("Sound files")
struct SoundFileTests {
    let folder = ScratchFolder()

    /// Writes channels to a file and returns its path.
    func write(_ channels: [[Float]], to name: String, sampleRate: Double = 48_000) throws -> String
    {
        let path = folder.file(name)
        let frames = channels[0].count
        let writer = try SoundFileWriter(
            path: path, channels: channels.count, sampleRate: sampleRate, expectedFrames: frames)
        let interleaved = (0..<frames).flatMap { frame in channels.map { $0[frame] } }
        // Written in two parts, like a stream.
        let first = frames / 3
        try interleaved.withUnsafeBufferPointer { samples in
            guard let start = samples.baseAddress else { return }
            try writer.write(first, from: start)
            try writer.write(frames - first, from: start + first * channels.count)
        }
        try writer.close()
        return path
    }

    @Test(
        "float formats preserve every bit, including samples beyond full scale",
        arguments: ["a.wav", "a.WAV", "a", "a.b/c.aiff", "a.caf", "a.au", "a.w64", "a.rf64"])
    func floatFormats(name: String) throws {
        let channels = [
            whiteNoise(amplitude: 3, frames: 1000), whiteNoise(frames: 1000, seed: 2),
            sineWave(440, frames: 1000, sampleRate: 48_000),
        ]
        let path = try write(channels, to: name.replacingSlashes())
        let reader = try SoundFileReader(path: path)
        #expect(reader.channels == 3)
        #expect(reader.sampleRate == 48_000)
        #expect(reader.frameCount == 1000)
        #expect(try reader.readChannels() == channels)
    }

    @Test("FLAC has 24 bits, and clips at full scale instead of wrapping")
    func flac() throws {
        let channels = [
            whiteNoise(amplitude: 0.99, frames: 5000), [Float](repeating: 1.5, count: 5000),
        ]
        let reader = try SoundFileReader(path: write(channels, to: "a.flac"))
        let read = try reader.readChannels()
        let error = zip(read[0], channels[0]).map { abs($0 - $1) }.max() ?? 1
        #expect(error <= 1 / Float(1 << 23))
        #expect(read[1].allSatisfy { $0 > 0.9999 })
    }

    @Test(
        "lossy formats keep the rate, the channels and the length", arguments: ["a.ogg", "a.opus"])
    func lossy(name: String) throws {
        let tone = sineWave(440, frames: 48_000, sampleRate: 48_000)
        let reader = try SoundFileReader(path: write([tone, tone], to: name))
        #expect(reader.channels == 2)
        #expect(reader.sampleRate == 48_000)
        #expect(reader.frameCount == 48_000)
        // A sine's mean square is half the square of its amplitude.
        let power = try reader.readChannels()[1].reduce(0) { $0 + $1 * $1 } / 48_000
        #expect(abs(power - 0.125) < 0.01)
    }

    @Test("the same sound produces the same file")
    func reproducible() throws {
        let noise = whiteNoise(frames: 100)
        let paths = try ["a.wav", "b.wav"].map { try write([noise], to: $0) }
        #expect(bytes(of: paths[0]) == bytes(of: paths[1]))
        #expect(bytes(of: paths[0]).count < 100 * 4 + 100)
    }

    @Test(
        "a file beyond WAV's 4 GiB is written as RF64", arguments: [1 << 29, 1 << 30, 1 << 40])
    func large(frames: Int) throws {
        let path = folder.file("a.wav")
        let writer = try SoundFileWriter(
            path: path, channels: 1, sampleRate: 48_000, expectedFrames: frames)
        try withUnsafePointer(to: Float(0.25)) { try writer.write(1, from: $0) }
        try writer.close()
        let container = String(decoding: bytes(of: path).prefix(4), as: UTF8.self)
        #expect(container == (frames < 1 << 30 ? "RIFF" : "RF64"))
        #expect(try SoundFileReader(path: path).readChannels() == [[0.25]])
    }

    @Test("the error for a missing file has its name and the reason")
    func missing() {
        let fault = #expect(throws: SoundFileError.self) {
            try SoundFileReader(path: folder.file("none.wav"))
        }
        #expect(fault?.operation == .reading)
        #expect(fault?.path == folder.file("none.wav"))
        #expect(fault?.reason == "No such file or directory")
    }

    @Test("a file that is not audio is refused", arguments: ["", "{}", "RIFF", "RIFF1234WAVEfmt "])
    func notSound(text: String) {
        let path = folder.write(text, to: "a.wav")
        let fault = #expect(throws: SoundFileError.self) { try SoundFileReader(path: path) }
        #expect(fault?.reason.isEmpty == false)
        #expect(fault?.reason.hasSuffix(".") == false)
    }

    @Test("the error for a file that cannot be created has its name and the reason")
    func unwritable() {
        let fault = #expect(throws: SoundFileError.self) {
            try write([[0]], to: "none/a.wav")
        }
        #expect(fault?.operation == .writing)
        #expect(fault?.reason == "No such file or directory")
    }

    @Test("a rate that a format does not support is refused before the file is created")
    func badRate() {
        let fault = #expect(throws: SoundFileError.self) {
            try write([[0]], to: "a.mp3", sampleRate: 12_345)
        }
        #expect(fault?.operation == .writing)
        #expect(fault?.reason.isEmpty == false)
    }

    @Test("a full disk is an error of the write")
    func fullDisk() throws {
        let fault = #expect(throws: SoundFileError.self) {
            let writer = try SoundFileWriter(
                path: "/dev/full", channels: 1, sampleRate: 48_000, expectedFrames: 1 << 16)
            try [Float](repeating: 0.5, count: 1 << 16).withUnsafeBufferPointer { samples in
                guard let start = samples.baseAddress else { return }
                try writer.write(samples.count, from: start)
            }
            try writer.close()
        }
        #expect(fault?.operation == .writing)
    }
}

extension String {
    /// Returns the name with each slash replaced by a hyphen.
    func replacingSlashes() -> String { String(map { $0 == "/" ? "-" : $0 }) }
}
