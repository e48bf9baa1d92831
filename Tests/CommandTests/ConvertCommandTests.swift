import Glibc
import SoundFiles
import Testing
import TestSignals

@Suite("stompline convert")
struct ConvertCommandTests {
    private var program = Program()
    private let noise = whiteNoise(amplitude: 0.4, frames: 48_000)

    init() throws {
        try program.write([noise, noise.reversed()], to: "in.wav")
    }

    @Test("makes a file of another format, silently")
    func formats() throws {
        for name in ["a.flac", "a.ogg", "a.opus", "a.mp3", "a.aiff", "a"] {
            let outcome = program("convert", "in.wav", name)
            #expect(outcome.status == 0)
            #expect(outcome.output + outcome.errors == "")
            #expect(try program.sound(name).map(\.count) == [48_000, 48_000])
        }
        #expect(try program.sound("a") == [noise, noise.reversed()])
    }

    @Test("options select the changes")
    func options() throws {
        let outcome = program(
            "convert", "in.wav", "b.wav", "--rate", "44100", "--channels", "1", "--bits", "16",
            "--format", "flac", "--start", "0.25", "--end", "0.75")
        #expect(outcome.status == 0)
        let reader = try SoundFileReader(path: program.folder.file("b.wav"))
        #expect(reader.sampleRate == 44_100)
        #expect(reader.channels == 1)
        #expect(reader.frameCount == 22_050)
        #expect(program.text("b.wav").hasPrefix("fLaC"))
    }

    @Test("reads with ffmpeg the formats that libsndfile lacks, and reports if it is not installed")
    func decoded() throws {
        try program.write([noise], to: "s.wav")
        let path = program.folder.file("s.m4a")
        #expect(
            program.other(
                "ffmpeg", "-nostdin", "-v", "error", "-i", program.folder.file("s.wav"), "-c:a",
                "alac", path))
        #expect(program("convert", "s.m4a", "c.wav").status == 0)
        #expect(try program.sound("c.wav").map(\.count) == [48_000])
        var bare = program
        bare.environment = ["PATH=/nowhere"]
        let outcome = bare("convert", "s.m4a", "d.wav")
        #expect(outcome.status == 66)
        #expect(
            outcome.errors == """
                stompline: cannot read 's.m4a': libsndfile does not know its format, and ffmpeg, \
                which reads more formats, is not installed\n
                """)
    }

    @Test("reports peaks that prevent the requested loudness")
    func loudness() throws {
        let outcome = program("convert", "in.wav", "e.wav", "--loudness", "-20")
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        let loud = program("convert", "in.wav", "f.wav", "--loudness", "0")
        #expect(loud.status == 0)
        #expect(loud.errors.contains("'f.wav' has -"))
        #expect(
            loud.errors.hasSuffix(
                " LUFS instead of 0.0: more gain would raise its peaks above -1 dB\n"))
        try program.write([[Float](repeating: 0, count: 48_000)], to: "zero.wav")
        let silent = program("convert", "zero.wav", "g.wav", "--loudness", "-16")
        #expect(silent.status == 0)
        #expect(silent.errors.contains("is too quiet to measure its loudness"))
    }

    @Test(
        "impossible requests are wrong usage",
        arguments: [
            ["--bits", "12"], ["--rate", "5"], ["--channels", "0"], ["--format", "txt"],
            ["--start", "2", "--end", "1"], ["--start", "5"], ["--channels", "5"],
            ["--format", "ogg", "--bits", "16"], ["--loudness", "3"],
        ])
    func wrong(options: [String]) {
        let outcome = program(["convert", "in.wav", "h.wav"] + options)
        #expect(outcome.status == 64)
        #expect(!outcome.errors.isEmpty)
        #expect(access(program.folder.file("h.wav"), F_OK) != 0)
    }

    @Test("Ctrl-C leaves only the files that existed before")
    func interrupted() throws {
        // Half an hour of silence that takes no disk space: an AU file whose header does not state
        // a length.
        let header: [UInt8] =
            Array(".snd".utf8) + [
                0, 0, 0, 24, 255, 255, 255, 255, 0, 0, 0, 3, 0, 0, 187, 128, 0, 0, 0, 8,
            ]
        let path = program.folder.file("long.au")
        let stream = try #require(fopen(path, "w"))
        fwrite(header, 1, header.count, stream)
        fclose(stream)
        truncate(path, 1 << 31)
        try program.write([noise], to: "there.wav")
        #expect(
            !program.other(
                "-C", program.folder.path, "timeout", "-s", "INT", "2", Program.path, "convert",
                "long.au", "there.wav", "--rate", "44100"))
        #expect(try program.sound("there.wav") == [noise])
        let entries = try #require(opendir(program.folder.path))
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            #expect(!name.hasSuffix(".part"))
        }
    }

    @Test("errors of files have a separate status")
    func faults() throws {
        #expect(program("convert", "none.wav", "i.wav").status == 66)
        #expect(program("convert", "in.wav", "none/i.wav").status == 74)
        let full = program("convert", "in.wav", "/dev/full")
        #expect(full.status == 74)
        #expect(full.errors == "stompline: cannot write '/dev/full': it is not a regular file\n")
        let same = program("convert", "in.wav", "./in.wav")
        #expect(same.status == 64)
        #expect(same.errors.contains("cannot be both the input and the output"))
        #expect(try program.sound("in.wav") == [noise, noise.reversed()])
    }
}
