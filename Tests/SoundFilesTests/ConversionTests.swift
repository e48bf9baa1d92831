import Glibc
import SoundFiles
import Testing
import TestSignals

@Suite("Conversion")
struct ConversionTests {
    let folder = ScratchFolder()

    private func write(
        _ channels: [[Float]], to name: String = "in.wav", sampleRate: Double = 48_000
    ) throws {
        let writer = try SoundFileWriter(
            path: folder.file(name), channels: channels.count, sampleRate: sampleRate,
            expectedFrames: channels[0].count)
        let interleaved = channels[0].indices.flatMap { frame in channels.map { $0[frame] } }
        try interleaved.withUnsafeBufferPointer { samples in
            if let start = samples.baseAddress { try writer.write(channels[0].count, from: start) }
        }
        try writer.close()
    }

    /// Converts `in.wav`, and returns the outcome and the written channels.
    private func convert(
        to name: String = "out.wav", bits: Int? = nil,
        _ change: (inout ConversionRequest) -> Void = { _ in }
    ) throws -> (outcome: ConversionOutcome, channels: [[Float]]) {
        var request = ConversionRequest(
            input: folder.file("in.wav"), output: folder.file(name),
            style: SoundFileStyle(path: name, bits: bits))
        change(&request)
        let outcome = try Conversion(request).run()
        return (outcome, try SoundFileReader(path: request.output).readChannels())
    }

    /// Returns a tone of known loudness.
    ///
    /// A tone of 997 Hz and amplitude 1 in both channels has 0 LUFS (EBU Tech 3341).
    private func tone(_ decibels: Double, seconds: Double = 5) -> [Float] {
        sineWave(
            997, amplitude: pow(10, decibels / 20), frames: Int(seconds * 48_000),
            sampleRate: 48_000)
    }

    @Test("a conversion without changes preserves every bit")
    func same() throws {
        let noise = whiteNoise(amplitude: 2, frames: 10_000)
        try write([noise, noise.reversed()])
        #expect(try convert().channels == [noise, noise.reversed()])
    }

    @Test("integers are rounded to the nearest value, 16 bits with dither", arguments: [16, 24])
    func bits(_ bits: Int) throws {
        let noise = whiteNoise(amplitude: 0.9, frames: 20_000)
        try write([noise])
        let step = 1 / Float(1 << (bits - 1))
        for name in ["a.wav", "a.aiff", "a.flac", "a.caf"] {
            let result = try convert(to: name, bits: bits).channels[0]
            #expect(result.allSatisfy { ($0 / step).rounded() == $0 / step })
            let error = zip(result, noise).map { abs($0 - $1) }.max() ?? 1
            #expect(error <= step * (bits == 16 ? 1.5 : 0.5))
        }
    }

    @Test("with 16 bits, dither preserves a tone below the last bit")
    func dither() throws {
        let soft = sineWave(1000, amplitude: 0.4 / 32_768, frames: 48_000, sampleRate: 48_000)
        try write([soft])
        let result = try convert(bits: 16).channels[0]
        let level = Partials(of: result, at: [1000], sampleRate: 48_000).amplitudes[0]
        #expect(abs(level * 32_768 - 0.4) < 0.02)
    }

    @Test("conversion to another rate preserves a tone's frequency")
    func rate() throws {
        try write([sineWave(1000, frames: 44_100, sampleRate: 44_100)], sampleRate: 44_100)
        let result = try convert { $0.sampleRate = 48_000 }.channels[0]
        #expect(result.count == 48_000)
        let expected = sineWave(1000, frames: 48_000, sampleRate: 48_000)
        let error = (1000..<47_000).map { abs(result[$0] - expected[$0]) }.max() ?? 1
        #expect(error < 1e-6)
    }

    @Test("mono goes to all channels, all go to mono by their mean, and two cannot become three")
    func channels() throws {
        let noise = whiteNoise(frames: 5000)
        try write([noise, [Float](repeating: 0.5, count: 5000)])
        let mono = try convert { $0.channels = 1 }.channels
        #expect(mono == [noise.map { ($0 + 0.5) / 2 }])
        let fault = #expect(throws: ConversionError.self) { try convert { $0.channels = 3 } }
        guard case .request = fault else { return #expect(Bool(false)) }
        try write([noise])
        #expect(try convert { $0.channels = 3 }.channels == [noise, noise, noise])
    }

    @Test("a section contains exactly the requested frames", arguments: [48_000.0, 96_000])
    func part(rate: Double) throws {
        let noise = whiteNoise(frames: 48_000)
        try write([noise])
        let whole = try convert { $0.sampleRate = rate }.channels[0]
        let part = try convert {
            $0.sampleRate = rate
            $0.startSeconds = 0.25
            $0.endSeconds = 0.75
        }
        #expect(part.outcome.frameCount == Int(rate / 2))
        #expect(part.channels[0] == Array(whole[Int(rate / 4)..<Int(rate * 3 / 4)]))
        #expect(throws: ConversionError.self) { try convert { $0.startSeconds = 1.5 } }
    }

    @Test("the output has the requested loudness", arguments: [-23.0, -16, -30])
    func loudness(target: Double) throws {
        try write([tone(-20), tone(-20)])
        let (outcome, channels) = try convert { $0.loudness = target }
        #expect(abs((outcome.level?.measured ?? 0) + 20) < 0.05)
        #expect(abs((outcome.level?.reached ?? 0) - target) < 1e-9)
        #expect(outcome.level?.isLimitedByPeaks == false)
        let gain = pow(10, (target + 20) / 20)
        let level = Partials(of: channels[1][..<48_000], at: [997], sampleRate: 48_000)
        #expect(abs(level.decibels(0) - (-20 + 20 * log10(gain))) < 0.06)
    }

    @Test("peaks limit the gain and are not otherwise changed")
    func peaks() throws {
        var sound = tone(-30)
        sound[1000] = 0.5
        try write([sound, sound])
        let (outcome, channels) = try convert { $0.loudness = -16 }
        #expect(outcome.level?.isLimitedByPeaks == true)
        let gain = Float(pow(10, (outcome.level?.gainDecibels ?? 0) / 20))
        #expect((channels[0].max() ?? 1) <= Float(pow(10, -1.0 / 20)) + 1e-6)
        #expect((channels[0].max() ?? 0) > 0.75)
        #expect(channels[0] == sound.map { $0 * gain })
        // Lowering the level does not exceed the peak limit.
        #expect(try convert { $0.loudness = -40 }.outcome.level?.isLimitedByPeaks == false)
    }

    @Test("silence has no loudness and is unchanged")
    func silence() throws {
        try write([[Float](repeating: 0, count: 48_000)])
        let (outcome, channels) = try convert { $0.loudness = -16 }
        #expect(outcome.level?.measured == nil)
        #expect(outcome.level?.reached == nil)
        #expect(channels[0].allSatisfy { $0 == 0 })
    }

    @Test("progress rises to 100 percent", arguments: [nil, -20.0])
    func progress(loudness: Double?) throws {
        try write([whiteNoise(frames: 30_000)])
        var request = ConversionRequest(
            input: folder.file("in.wav"), output: folder.file("out.wav"),
            style: SoundFileStyle(format: "wav"))
        request.loudness = loudness
        var shares: [Double] = []
        _ = try Conversion(request).run { shares.append($0) }
        #expect(shares == shares.sorted())
        #expect(shares.last == 1)
    }

    @Test("the input is never overwritten, whatever path names it")
    func input() throws {
        try write([whiteNoise(frames: 100)])
        let before = try SoundFileReader(path: folder.file("in.wav")).readChannels()
        symlink("in.wav", folder.file("link.wav"))
        for name in ["in.wav", "link.wav"] {
            let fault = #expect(throws: ConversionError.self) { try convert(to: name) }
            guard case .request = fault else { return #expect(Bool(false)) }
        }
        #expect(try SoundFileReader(path: folder.file("in.wav")).readChannels() == before)
    }

    @Test("after a failure the old file is unchanged and no other file remains")
    func atomic() throws {
        try write([whiteNoise(frames: 200_000)], to: "in.flac")
        truncate(folder.file("in.flac"), 200_000)
        try write([[0.25]], to: "out.wav")
        #expect(throws: ConversionError.self) { try convert { $0.input = folder.file("in.flac") } }
        #expect(try SoundFileReader(path: folder.file("out.wav")).readChannels() == [[0.25]])
        #expect(access(folder.file("out.wav.\(getpid()).part"), F_OK) != 0)
    }

    @Test("a target that is not a regular file is not replaced")
    func device() throws {
        try write([[0.25]])
        let fault = #expect(throws: ConversionError.self) {
            try convert { $0.output = "/dev/full" }
        }
        #expect(fault == .file(SoundFileError("/dev/full", .writing, "it is not a regular file")))
        var status = stat()
        stat("/dev/full", &status)
        #expect(status.st_mode & S_IFMT == S_IFCHR)
    }
}
