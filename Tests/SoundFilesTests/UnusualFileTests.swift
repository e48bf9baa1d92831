import Glibc
import SoundFiles
import Testing
import TestSignals

/// A WAV file whose header a test can make valid or invalid.
private struct WaveBytes {
    var format: UInt16 = 1
    var channels: UInt16 = 1
    var rate: UInt32 = 48_000
    var bits: UInt16 = 16
    var data: [UInt8] = []
    /// The data length in the header; `nil` for the true length.
    var statedBytes: UInt32?

    var bytes: [UInt8] {
        let frameBytes = UInt32(channels) * UInt32(bits / 8)
        let stated = statedBytes ?? UInt32(data.count)
        let head = Array("RIFF".utf8) + little(stated &+ 36) + Array("WAVEfmt ".utf8)
        let kind = little(16 as UInt32) + little(format) + little(channels) + little(rate)
        let layout = little(rate &* frameBytes) + little(UInt16(truncatingIfNeeded: frameBytes))
        return head + kind + layout + little(bits) + Array("data".utf8) + little(stated) + data
    }

    private func little(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private func little(_ number: UInt16) -> [UInt8] { Array(little(UInt32(number))[..<2]) }
}

@Suite("Unusual sound files")
struct UnusualFileTests {
    let folder = ScratchFolder()

    private func file(_ bytes: [UInt8]) -> String {
        let path = folder.file("a.wav")
        guard let stream = fopen(path, "w") else { fatalError("cannot write \(path)") }
        fwrite(bytes, 1, bytes.count, stream)
        fclose(stream)
        return path
    }

    @Test("a file without frames is empty sound, not an error", arguments: [1, 2, 32])
    func empty(channels: Int) throws {
        let source = try SoundFile.open(file(WaveBytes(channels: UInt16(channels)).bytes))
        #expect(source.frameCount == 0)
        try source.seek(to: 0)
        #expect(try source.samples(10).isEmpty)
        let resampled = try source.frames(at: 44_100)
        #expect(resampled.frameCount == 0)
        #expect(try resampled.samples(10).isEmpty)
    }

    @Test("a file of one frame can be read repeatedly")
    func single() throws {
        let source = try SoundFile.open(file(WaveBytes(channels: 2, data: [0, 64, 0, 192]).bytes))
        #expect(source.frameCount == 1)
        #expect(try source.samples(10) == [0.5, -0.5])
        try source.seek(to: 0)
        #expect(try source.samples(10) == [0.5, -0.5])
        try source.seek(to: 0)
        #expect(try source.frames(at: 96_000).samples(10).count == 4)
    }

    @Test(
        "a header with a length that is too long, or not yet written, means the actual data",
        arguments: [1000, 0x7fff_fff0, .max, 0xffff_ffdb] as [UInt32])
    func lyingLength(stated: UInt32) throws {
        let wave = WaveBytes(data: [UInt8](repeating: 32, count: 200), statedBytes: stated)
        let source = try SoundFile.open(file(wave.bytes))
        #expect(source.frameCount == 100)
        #expect(try source.samples(1000).count == 100)
    }

    @Test("data that ends within a frame ends with the frame before")
    func halfFrame() throws {
        let wave = WaveBytes(channels: 2, data: [UInt8](repeating: 32, count: 203))
        let source = try SoundFile.open(file(wave.bytes))
        #expect(source.frameCount == 50)
        #expect(try source.samples(1000).count == 100)
    }

    @Test("32 channels keep their order")
    func manyChannels() throws {
        let channels = (0..<32).map { channel in
            [Float](repeating: Float(channel) / 32, count: 100)
        }
        let source = try SoundFile.open(folder.write(channels, to: "b.wav"))
        #expect(source.channels == 32)
        #expect(try source.readChannels() == channels)
        try source.seek(to: 0)
        let resampled = try source.frames(at: 96_000)
        let middle = try resampled.readChannels().map { $0[100] }
        #expect(zip(middle, channels).allSatisfy { abs($0 - $1[0]) < 0.01 })
    }

    @Test(
        "samples of 8 to 64 bits are scaled to -1…1",
        arguments: [
            (1, 8, [192]), (1, 16, [0, 64]), (1, 24, [0, 0, 64]), (1, 32, [0, 0, 0, 64]),
            (3, 32, [0, 0, 0, 63]), (3, 64, [0, 0, 0, 0, 0, 0, 224, 63]),
        ] as [(UInt16, UInt16, [UInt8])])
    func bits(format: UInt16, bits: UInt16, half: [UInt8]) throws {
        let wave = WaveBytes(format: format, bits: bits, data: half + half)
        #expect(try SoundFile.open(file(wave.bytes)).samples(10) == [0.5, 0.5])
    }

    @Test("rates of 3 kHz to 192 kHz are read and converted", arguments: [3000, 8000, 192_000])
    func rates(rate: Int) throws {
        let wave = WaveBytes(rate: UInt32(rate), data: [UInt8](repeating: 0, count: rate))
        let path = file(wave.bytes)
        #expect(try SoundFile.facts(of: path).sampleRate == Double(rate))
        for wanted in [44_100.0, 48_000, 192_000] {
            let source = try SoundFile.open(path).frames(at: wanted)
            #expect(source.frameCount == Int(wanted / 2))
            #expect(try source.readChannels()[0].count == Int(wanted / 2))
        }
    }

    @Test("a nonsensical header is an error", arguments: 0..<5)
    func nonsense(kind: Int) {
        var wave = WaveBytes(data: [0, 64, 0, 64])
        switch kind {
        case 0: wave.channels = 0
        case 1: wave.rate = 0
        case 2: wave.bits = 0
        case 3: wave.format = 0xabcd
        default: wave.channels = 65_535
        }
        let error = #expect(throws: SoundFileError.self) { try SoundFile.open(file(wave.bytes)) }
        #expect(error?.reason.isEmpty == false)
    }

    @Test("a file truncated in its header does not crash the program")
    func cutHeaders() {
        let whole = WaveBytes(data: [0, 64, 0, 64]).bytes
        for count in stride(from: 1, to: 44, by: 3) {
            let source = try? SoundFile.open(file(Array(whole[..<count])))
            #expect((source?.frameCount ?? 0) == 0)
        }
    }

    @Test("folders, pipes and files without sound are refused with the reason")
    func notFiles() {
        let folderError = #expect(throws: SoundFileError.self) { try SoundFile.open(folder.path) }
        #expect(folderError?.reason.isEmpty == false)
        mkfifo(folder.file("pipe"), 0o600)
        let pipe = #expect(throws: SoundFileError.self) { try SoundFile.open(folder.file("pipe")) }
        #expect(pipe?.reason == "it is a pipe, which has no known length")
        let text = folder.write("This is a text, and no sound at all.", to: "a.m4a")
        let error = #expect(throws: SoundFileError.self) { try SoundFile.open(text) }
        #expect(error?.reason == "neither libsndfile nor ffmpeg knows its format")
        let none = #expect(throws: SoundFileError.self) { try SoundFile.open(folder.file("none")) }
        #expect(none?.reason == "No such file or directory")
    }
}
