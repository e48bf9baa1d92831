import Glibc
import Loopers
import Processing
import SoundFiles
import Testing
import TestSignals

@Suite("The file of a looper")
struct LoopFileTests {
    private let folder = ScratchFolder()

    private func looper(sampleRate: Double = 48_000) throws -> Processor {
        let effect = Looper.effect()
        let settings: [String: SettingValue] = [
            "file": .text(folder.file("loop.wav")), "maximum": .number(2),
        ]
        _ = try effect.inspect(settings)
        return try effect.makeProcessor(
            ProcessorRequest(
                format: AudioFormat(
                    sampleRate: sampleRate, maximumBlockFrames: 4096, isLive: true),
                inputChannels: 2, outputChannels: 2,
                parameters: effect.description.parameters.map {
                    $0.name == "dry" ? -120 : $0.defaultValue
                }, settings: settings))
    }

    private func noise(_ frames: Int) -> [[Float]] {
        [whiteNoise(frames: frames, seed: 1), whiteNoise(frames: frames, seed: 2)]
    }

    private var silence: [[Float]] {
        [[Float]](repeating: [Float](repeating: 0, count: 960), count: 2)
    }

    /// Renders silence until a condition is true, for at most ten seconds.
    private func render(_ looper: Processor, until isDone: () -> Bool) -> Bool {
        for _ in 0..<2000 {
            if isDone() { return true }
            _ = looper.render(silence)
            usleep(5000)
        }
        return false
    }

    @Test("A saved loop has exactly its frames, and the next looper plays it")
    func saveAndLoad() throws {
        let input = noise(60_000)
        let moves = [
            Move(looperParameter("record"), to: 1, at: 10_000),
            Move(looperParameter("play"), to: 1, at: 40_001),
        ]
        var saved: [[Float]] = []
        do {
            let looper = try looper()
            _ = looper.render(input, moves: moves)
            _ = looper.render(silence, moves: [Move(looperParameter("save"), to: 1, at: 100)])
            let path = folder.file("loop.wav")
            try #require(render(looper) { access(path, R_OK) == 0 })
            let reader = try SoundFileReader(path: path)
            #expect(reader.channels == 2)
            #expect(reader.sampleRate == 48_000)
            #expect(reader.frameCount == 30_001)
            saved = try reader.readChannels()
            #expect(ScratchFolder.names(in: folder.file("")) == ["loop.wav"])
        }
        for channel in 0..<2 {
            #expect(Array(saved[channel][..<29_000]) == Array(input[channel][10_000..<39_000]))
        }
        let next = try looper()
        #expect(next.looperReport("state") == 6)
        #expect(abs(next.looperReport("length") - 30_001 / 48_000) < 1e-5)
        let output = next.render(
            noise(80_000), moves: [Move(looperParameter("play"), to: 1, at: 500)])
        for channel in 0..<2 {
            // With the seam, in the second cycle.
            let second = output[channel][30_501..<60_502]
            #expect(zip(second, saved[channel]).allSatisfy { abs($0 - $1) < 1e-6 })
        }
    }

    @Test(
        "A file with NaN or infinity is refused with its channel and time",
        arguments: [Float.nan, .infinity])
    func notFinite(sample: Float) throws {
        var sound = noise(30_000)
        sound[1][24_000] = sample
        _ = try folder.write(sound, to: "loop.wav", sampleRate: 48_000)
        let error = #expect(throws: PluginError.self) { try looper() }
        #expect(error?.message.contains("channel 2 contains \(sample) at 0.5 s") == true)
    }

    @Test("A save during an overdub waits for its end, and contains it")
    func duringOverdub() throws {
        let looper = try looper()
        let input = noise(100_000)
        _ = looper.render(
            input,
            moves: [
                Move(looperParameter("record"), to: 1, at: 10_000),
                Move(looperParameter("overdub"), to: 1, at: 40_000),
                Move(looperParameter("save"), to: 1, at: 50_000),
                Move(looperParameter("play"), to: 1, at: 70_000),
            ])
        let path = folder.file("loop.wav")
        try #require(render(looper) { access(path, R_OK) == 0 })
        let saved = try SoundFileReader(path: path).readChannels()
        for frame in 1000..<29_000 {
            let expected = input[0][10_000 + frame] + input[0][40_000 + frame]
            #expect(abs(saved[0][frame] - expected) < 1e-6)
        }
    }

    @Test("Clearing the loop during a save leaves the previous file")
    func cleared() throws {
        folder.write("previous", to: "previous")
        let looper = try looper()
        _ = looper.render(
            noise(60_000),
            moves: [
                Move(looperParameter("record"), to: 1, at: 1000),
                Move(looperParameter("play"), to: 1, at: 59_000),
                Move(looperParameter("save"), to: 1, at: 59_900),
            ])
        _ = looper.render(silence, moves: [Move(looperParameter("clear"), to: 1, at: 0)])
        // The next save works, and it is the only one.
        _ = looper.render(
            noise(40_000),
            moves: [
                Move(looperParameter("record"), to: 1, at: 1000),
                Move(looperParameter("play"), to: 1, at: 31_000),
                Move(looperParameter("save"), to: 1, at: 39_000),
            ])
        let path = folder.file("loop.wav")
        try #require(render(looper) { access(path, R_OK) == 0 })
        #expect(try SoundFileReader(path: path).frameCount == 30_000)
        #expect(ScratchFolder.names(in: folder.file("")) == ["loop.wav", "previous"])
    }

    @Test("A link with the name of the file is replaced, and its target remains unchanged")
    func link() throws {
        let target = folder.write("precious", to: "target")
        let looper = try looper()
        _ = looper.render(
            noise(40_000),
            moves: [
                Move(looperParameter("record"), to: 1, at: 1000),
                Move(looperParameter("play"), to: 1, at: 31_000),
            ])
        try #require(symlink(target, folder.file("loop.wav")) == 0)
        _ = looper.render(silence, moves: [Move(looperParameter("save"), to: 1, at: 0)])
        var status = stat()
        let isFile = render(looper) {
            lstat(folder.file("loop.wav"), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        }
        #expect(isFile)
        var text = [UInt8](repeating: 0, count: 8)
        let file = open(target, O_RDONLY)
        #expect(read(file, &text, 8) == 8)
        close(file)
        #expect(String(decoding: text, as: UTF8.self) == "precious")
    }

    @Test("A file of another rate or length is refused with the reason")
    func refused() throws {
        let path = folder.file("loop.wav")
        func write(_ frames: Int, rate: Double) throws {
            let writer = try SoundFileWriter(
                path: path, channels: 1, sampleRate: rate, expectedFrames: frames)
            try writer.write(frames, from: [Float](repeating: 0.1, count: frames))
            try writer.close()
        }
        for (frames, rate, reason) in [
            (44_100, 44_100.0, "its rate is 44100 Hz"), (480_000, 48_000, "it lasts 10.0 s"),
            (100, 48_000, "it lasts 0.002 s"),
        ] {
            try write(frames, rate: rate)
            #expect {
                _ = try looper()
            } throws: { error in
                (error as? PluginError)?.message.contains(reason) ?? false
            }
        }
        folder.write("no sound", to: "loop.wav")
        #expect(throws: SettingError.self) { _ = try looper() }
    }

    @Test(
        "A file that ends before its stated length is refused if the rest is too short for a loop")
    func endsEarly() throws {
        // MPEG audio of layer I, whose length of 968 frames is an estimate; it has only 384.
        var bytes = [UInt8](repeating: 0, count: 1052)
        bytes.replaceSubrange(0..<3, with: [0xFF, 0xF3, 0x90])
        for start in [406, 823] { bytes.replaceSubrange(start..<start + 2, with: [0xFF, 0xFE]) }
        let path = folder.file("loop.wav")
        let stream = try #require(fopen(path, "w"))
        let written = fwrite(bytes, 1, bytes.count, stream)
        fclose(stream)
        #expect(written == bytes.count)
        #expect(try SoundFileReader(path: path).frameCount == 968)
        #expect {
            _ = try looper(sampleRate: 44_100)
        } throws: { error in
            (error as? PluginError)?.message.contains("it lasts 0.008 s") ?? false
        }
    }
}
