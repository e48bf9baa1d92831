import Glibc
import TestSignals

/// The server's sounds: the same noise and sines as WAV and in other formats, generated for the
/// tests.
struct StreamMaterial: Sendable {
    /// The instance for all tests.
    static let shared = StreamMaterial()

    let folder = ScratchFolder()
    /// The number of frames of each sound.
    let frames = 288_000
    /// The samples of the WAV files, left and right interleaved.
    let samples: [Int16]

    private init() {
        samples = Self.samples(frames: frames)
        write(samples, sampleRate: 48_000, to: "sound.wav")
        write(samples, sampleRate: 44_100, to: "slow.wav")
        folder.write("<html><body>No such station.</body></html>\n", to: "page.txt")
        for name in ["sound.flac", "sound.ogg"] { convert("sound.wav", to: name) }
        convert("slow.wav", to: "slow.mp3", "-b:a", "128k")
        // Without the frame that contains the length.
        convert("slow.wav", to: "bare.mp3", "-b:a", "128k", "-write_xing", "0")
        convert("sound.wav", to: "named.flac", "-metadata", "title=A name")
        convert(
            "sound.wav", to: "list.m3u8", "-c:a", "aac", "-hls_time", "2", "-hls_playlist_type",
            "vod")
    }

    /// Returns a slow glide on the left and noise on the right: every position is different.
    private static func samples(frames: Int) -> [Int16] {
        var seed: UInt32 = 1
        return (0..<frames * 2).map { index in
            let time = Double(index / 2) / 48_000
            if index % 2 == 0 { return Int16(9000 * sin(2 * .pi * (200 + 60 * time) * time)) }
            seed = seed &* 1_664_525 &+ 1_013_904_223
            return Int16(truncatingIfNeeded: Int32(bitPattern: seed) >> 18)
        }
    }

    private func write(_ samples: [Int16], sampleRate: UInt32, to name: String) {
        func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: value.littleEndian) { Array($0) }
        }
        let length = UInt32(samples.count * 2)
        let head =
            Array("RIFF".utf8) + bytes(36 + length) + Array("WAVEfmt ".utf8) + bytes(UInt32(16))
            + bytes(UInt16(1)) + bytes(UInt16(2)) + bytes(sampleRate) + bytes(sampleRate * 4)
            + bytes(UInt16(4)) + bytes(UInt16(16)) + Array("data".utf8) + bytes(length)
        guard let file = fopen(folder.file(name), "w") else { fatalError("no file \(name)") }
        fwrite(head, 1, head.count, file)
        fwrite(samples, 2, samples.count, file)
        fclose(file)
    }

    private func convert(_ source: String, to target: String, _ options: String...) {
        _ = ChildProgram.run(
            ["ffmpeg", "-v", "error", "-i", folder.file(source)] + options + [folder.file(target)])
    }

    /// Returns the samples of a file as ffmpeg reads it from the disk.
    func decoded(_ name: String, sampleRate: Int = 48_000) -> [Float] {
        let bytes = ChildProgram.run([
            "ffmpeg", "-v", "error", "-i", folder.file(name), "-af",
            "aresample=\(sampleRate):resampler=soxr:precision=28:osf=flt", "-f", "f32le", "pipe:1",
        ])
        return bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    /// The samples of the WAV files as floats.
    var floats: [Float] { samples.map { Float($0) / 32_768 } }

    /// Creates a self-signed certificate.
    func makeCertificate(_ name: String = "certificate.pem") {
        let certificate = folder.file(name)
        let key = folder.file("key-\(name)")
        _ = ChildProgram.run([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-keyout", key, "-out", certificate,
            "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
        ])
        guard let file = fopen(certificate, "a"), let source = fopen(key, "r") else { return }
        while case let byte = fgetc(source), byte != EOF { fputc(byte, file) }
        fclose(source)
        fclose(file)
    }
}
