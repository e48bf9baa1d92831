import Glibc
import SoundFiles
import Testing
import TestSignals

@Suite("Sound decoded by ffmpeg")
struct DecodedFileTests {
    let folder = ScratchFolder()

    /// Formats that libsndfile does not read, with ffmpeg's options for creating them.
    static let formats: [(String, [String])] = [
        ("a.m4a", ["-c:a", "aac"]), ("alac.m4a", ["-c:a", "alac"]), ("a.wma", ["-c:a", "wmav2"]),
        ("a.aac", ["-c:a", "aac"]), ("a.mka", ["-c:a", "ac3"]), ("a.webm", ["-c:a", "libvorbis"]),
    ]

    private func stereo(frames: Int = 150_003) throws -> (path: String, channels: [[Float]]) {
        let sound = sweep(frames: frames, sampleRate: 44_100)
        let channels = [sound, sound.map { -0.5 * $0 }]
        return (try folder.write(channels, to: "s.wav", sampleRate: 44_100), channels)
    }

    @Test("channels, rate and length are reported, and match the sound", arguments: formats)
    func length(name: String, options: [String]) throws {
        let path = try folder.encode(stereo().path, to: name, options)
        let facts = try SoundFile.facts(of: path)
        #expect(facts.channels == 2)
        #expect(facts.sampleRate == 44_100)
        #expect(abs(facts.frameCount - 150_003) < 5000)
        #expect(
            try SoundFile.open(path).readChannels().map(\.count) == [
                facts.frameCount, facts.frameCount,
            ])
    }

    @Test("ALAC preserves every bit and the length")
    func lossless() throws {
        let (path, channels) = try stereo()
        let sixteen = try folder.encode(path, to: "t.wav", ["-c:a", "pcm_s16le"])
        let source = try SoundFile.open(
            folder.encode(sixteen, to: "a.m4a", ["-c:a", "alac", "-sample_fmt", "s16p"]))
        #expect(source.frameCount == channels[0].count)
        #expect(try source.readChannels() == SoundFile.open(sixteen).readChannels())
    }

    @Test("the sound of a video starts at its original start, without the codec's delay")
    func video() throws {
        var sound = [Float](repeating: 0, count: 96_000)
        for frame in 0..<200 { sound[40_000 + frame] = 0.9 * sin(Float(frame) * 0.7) }
        let path = try folder.encode(
            folder.write([sound], to: "s.wav"), to: "v.mp4",
            [
                "-f", "lavfi", "-i",
                "testsrc=duration=2:size=64x64", "-c:v", "mpeg4", "-c:a", "aac",
            ])
        let source = try SoundFile.open(path)
        let first = try source.readChannels()[0].firstIndex { abs($0) > 0.4 } ?? 0
        let expected = sound.firstIndex { abs($0) > 0.4 } ?? 0
        #expect(abs(first - expected) <= 2)
    }

    @Test(
        "reading from any frame gives the same samples as reading from the start",
        // ffmpeg's AAC decoder synthesizes noise, which differs after a seek.
        arguments: [
            ("alac.m4a", ["-c:a", "alac"], 0), ("a.m4a", ["-c:a", "aac"], 0.02),
            ("a.wma", ["-c:a", "wmav2"], 0), ("a.webm", ["-c:a", "libvorbis"], 0),
        ] as [(String, [String], Float)])
    func seek(name: String, options: [String], tolerance: Float) throws {
        let frames = 400_000
        let path = try folder.encode(stereo(frames: frames).path, to: name, options)
        let source = try SoundFile.open(path)
        let whole = try source.samples(source.frameCount)
        for frame in [300_001, 5, 0, 200_000, 380_000, 250_000, source.frameCount - 1] {
            try source.seek(to: frame)
            let part = try source.samples(1500)
            let expected = whole[(2 * frame)...].prefix(3000)
            #expect(part.count == expected.count)
            let error = zip(part, expected).map { abs($0 - $1) }.max() ?? 1
            #expect(error <= tolerance, "frame \(frame)")
        }
        try source.seek(to: source.frameCount)
        #expect(try source.samples(1).isEmpty)
    }

    @Test("an MP3 without a length has the length of its content")
    func withoutTag() throws {
        let path = try folder.encode(stereo().path, to: "a.mp3", ["-q:a", "3", "-write_xing", "0"])
        let source = try SoundFile.open(path)
        #expect(try source.readChannels()[0].count == source.frameCount)
        #expect(source.frameCount % 1152 == 0)
        #expect(abs(source.frameCount - 150_003) < 3 * 1152)
    }

    @Test(
        "a name cannot become an option or an address",
        arguments: ["-i.m4a", "http:a.m4a", "a b;ls $x.m4a"])
    func names(name: String) throws {
        let path = try folder.encode(stereo().path, to: name, ["-c:a", "alac"])
        #expect(try SoundFile.facts(of: path).frameCount == 150_003)
    }

    @Test("a playlist that refers to another file is not sound")
    func playlist() throws {
        let wave = try stereo().path
        for text in ["ffconcat version 1.0\nfile s.wav\n", "#EXTM3U\n#EXTINF:3,\n\(wave)\n"] {
            let path = folder.write(text, to: "list.m4a")
            let fault = #expect(throws: SoundFileError.self) { try SoundFile.open(path) }
            #expect(fault?.reason == "neither libsndfile nor ffmpeg knows its format")
        }
    }

    @Test("a video without sound is refused with that reason")
    func silentVideo() throws {
        let path = try folder.encode(
            stereo().path, to: "v.mp4",
            [
                "-f", "lavfi", "-i", "testsrc=duration=1:size=64x64",
                "-map", "1:v", "-c:v", "mpeg4",
            ])
        let fault = #expect(throws: SoundFileError.self) { try SoundFile.open(path) }
        #expect(fault?.reason == "it contains no sound")
    }

    @Test("a killed decoder is an error, not the end")
    func killed() throws {
        let frames = 3_000_000
        let path = try folder.encode(stereo(frames: frames).path, to: "a.m4a", ["-c:a", "alac"])
        let source = try SoundFile.open(path)
        _ = try source.samples(1000)
        let children = children(named: path)
        #expect(children.count == 1)
        for child in children { kill(child, SIGKILL) }
        let fault = #expect(throws: SoundFileError.self) { try source.samples(frames - 1000) }
        #expect(fault?.reason == "ffmpeg failed: it was terminated by signal 9")
    }

    @Test("a decoder has no privileges, its calls are filtered, and it writes no file")
    func sandboxed() throws {
        let path = try folder.encode(stereo(frames: 3_000_000).path, to: "a.m4a", ["-c:a", "alac"])
        let source = try SoundFile.open(path)
        _ = try source.samples(1000)
        let child = try #require(children(named: path).first)
        let status = text(of: "/proc/\(child)/status")
        for line in ["NoNewPrivs:\t1", "Seccomp:\t2", "CapBnd:\t0000000000000000"] {
            #expect(geteuid() != 0 && line.hasPrefix("CapBnd") || status.contains(line), "\(line)")
        }
        let limits = text(of: "/proc/\(child)/limits").split(separator: "\n")
        let sizes = limits.first { $0.hasPrefix("Max file size") }?.split(separator: " ").suffix(3)
        #expect(sizes.map(Array.init) == ["0", "0", "bytes"])
    }

    private func text(of path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("releasing a file ends its decoder")
    func left() throws {
        let path = try folder.encode(stereo(frames: 3_000_000).path, to: "a.m4a", ["-c:a", "alac"])
        var source: (any SeekableSource)? = try SoundFile.open(path)
        _ = try source?.samples(1000)
        #expect(children(named: path).count == 1)
        source = nil
        #expect(children(named: path).isEmpty)
    }

    @Test("a decoder continues when the thread that started it has ended")
    func thread() throws {
        let frames = 1_000_000
        let path = try folder.encode(stereo(frames: frames).path, to: "a.m4a", ["-c:a", "alac"])
        let source = try SoundFile.open(path)
        let reader = Unmanaged.passRetained(Reader(source))
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { reader in
                reader.map { Unmanaged<Reader>.fromOpaque($0).takeRetainedValue().begin() }
                return nil
            }, reader.toOpaque())
        pthread_join(thread, nil)
        #expect(children(named: path).count == 1)
        #expect(try source.samples(frames).count == 2 * (frames - 1000))
    }

    /// Reads the first frames of a source.
    private final class Reader {
        private let source: any SeekableSource

        init(_ source: any SeekableSource) { self.source = source }

        func begin() { _ = try? source.samples(1000) }
    }

    @Test("a truncated file is an error at the truncation")
    func truncated() throws {
        let path = try folder.encode(stereo(frames: 900_000).path, to: "a.flac", ["-c:a", "flac"])
        let size = bytes(of: path).count
        truncate(path, size / 2)
        let source = try SoundFile.open(path)
        #expect(source.frameCount == 900_000)
        let fault = #expect(throws: SoundFileError.self) {
            while try !source.samples(5000).isEmpty {}
        }
        #expect(fault?.operation == .reading)
    }

    /// Returns the processes with a file's path in their command lines, except this one.
    private func children(named path: String) -> [pid_t] {
        guard let folder = opendir("/proc") else { return [] }
        defer { closedir(folder) }
        var result: [pid_t] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let process = pid_t(name), process != getpid() else { continue }
            let words = String(decoding: bytes(of: "/proc/\(name)/cmdline"), as: UTF8.self)
            if words.contains(path) { result.append(process) }
        }
        return result
    }
}
