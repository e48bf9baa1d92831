internal import Glibc
internal import SoundFiles
internal import Testing
internal import TestSignals

/// The shipped pipelines that play files and record, compared sample by sample.
@Suite("Shipped pipelines with sources and recorders")
struct SourcePipelineTests {
    private let program = Program()
    private let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    private let lengthSeconds = 9

    private func shipped(_ name: String) -> String { "\(root)/pipelines/\(name)" }

    /// Renders a shipped pipeline, and returns two channels.
    private func render(_ name: String, _ more: String...) throws -> [[Float]] {
        let outcome = program(
            ["render", shipped(name), "--output", "main.wav", "--takes", program.folder.path]
                + more)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try program.sound("main.wav")
    }

    /// Returns a shipped sound as rendered by a player alone.
    private func played(_ file: String) throws -> [[Float]] {
        let channels = try SoundFileReader(path: shipped("sounds/\(file)")).channels
        program.write(
            """
            "inputs": {}, "outputs": { "out": { "channels": \(channels), "limiter": false } },
            "nodes": [{ "id": "p", "type": "player", "settings": { "file": "\(shipped("sounds/\(file)"))" },
                        "parameters": { "loop": true } }]
            """)
        let outcome = program(
            "render", "p.json", "--allow-outside", "--rate", "48000", "--output", "p.wav",
            "--length", "\(lengthSeconds)")
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try program.sound("p.wav")
    }

    private func amplitude(_ decibels: Double) -> Double { pow(10, decibels / 20) }

    @Test("four files of four rates and channel counts are mixed exactly, sample by sample")
    func fourSources() throws {
        let mix = try render("four-sources.json", "--rate", "48000", "--length", "\(lengthSeconds)")
        let (organ, bass) = (try played("organ.flac"), try played("bass.flac"))
        let (bells, shaker) = (try played("bells.wav"), try played("shaker.flac"))
        for side in 0...1 {
            // A centred mono strip loses 3 dB on each side; the balance weights the sides of a
            // stereo strip.
            let lean = side == 0 ? 0.8 : 1
            let expected = mix[side].indices.map { frame in
                let low = Double(bass[0][frame]) * amplitude(-6)
                let high = Double(bells[0][frame]) * amplitude(-12)
                let wide = Double(organ[side][frame]) * amplitude(-6)
                return low + high + wide + Double(shaker[side][frame]) * amplitude(-12) * lean
            }
            let off = zip(mix[side], expected).map { abs(Double($0) - $1) }.max() ?? 1
            #expect(off < 1e-6)
            #expect(mix[side].map(abs).max() ?? 0 > 0.1)
        }
    }

    @Test("a file at the engine's rate plays unchanged, and loops without a seam")
    func equalRate() throws {
        let samples = try SoundFileReader(path: shipped("sounds/shaker.flac")).readChannels()
        let sound = try played("shaker.flac")
        for (file, heard) in zip(samples, sound) {
            #expect(heard == Array((file + file).prefix(heard.count)))
        }
    }

    @Test("files of other rates loop with their exact duration")
    func otherRates() throws {
        for file in ["organ.flac", "bells.wav"] {
            let sound = try played(file)[0]
            let period = 8 * 48_000
            // After the seam, the resampler still contains the sound before it.
            let differences = (0..<sound.count - period).map { abs(sound[$0] - sound[$0 + period]) }
            #expect(differences.dropFirst(4800).max() ?? 1 < 1e-6)
        }
    }

    @Test("the recording of a voice over a track equals the output")
    func singAlong() throws {
        let voice = whiteNoise(amplitude: 0.1, frames: 9 * 48_000)
        try program.write([voice], to: "mic.wav")
        let mix = try render("sing-along.json", "--input", "mic.wav", "--scene", "record")
        let folder = program.folder.file("takes")
        let names = ScratchFolder.names(in: folder)
        try #require(names.count == 1)
        let take = try SoundFileReader(path: "\(folder)/\(names[0])").readChannels()
        #expect(take.map(\.count) == mix.map(\.count))
        for (recorded, heard) in zip(take, mix) {
            let off = zip(recorded, heard).map { abs($0 - $1) }.max() ?? 1
            #expect(off <= 0.75 / 8_388_608)
        }
    }

    @Test("a stream's speed, pitch and position change during playback")
    func webRadio() throws {
        let server = try #require(SoundServer(serving: shipped("sounds")))
        let text = Program.text(of: shipped("web-radio.json"))
        program.folder.write(
            text.split(separator: ":8017").joined(separator: ":\(server.port)"), to: "radio.json")
        let outcome = program(
            "render", "radio.json", "--allow-network", "--allow-private", "--rate", "48000",
            "--output", "radio.wav",
            "--length", "9", "--set", "radio.rate=0.7@1.5", "--set", "radio.semitones=5@2.5",
            "--set", "radio.rate=1@3.5", "--set", "radio.semitones=0@3.5", "--set",
            "radio.position=4@5")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let radio = try program.sound("radio.wav")
        let file = try played("organ.flac")
        for side in 0...1 {
            // The two resamplers only differ outside the spectrum of the organ.
            let first = zip(radio[side], file[side]).prefix(48_000)
            #expect(first.map { abs($0 - $1 * Float(amplitude(-3))) }.max() ?? 1 < 1e-3)
            // After the fade-in at the new position, the output equals the file again.
            let start = 6 * 48_000
            let later = (start..<start + 24_000).map {
                abs(radio[side][$0] - file[side][$0 - 48_000] * Float(amplitude(-3)))
            }
            #expect(later.max() ?? 1 < 1e-3)
            for second in 1..<8 {
                let part = radio[side][second * 48_000..<(second + 1) * 48_000]
                #expect(part.map(abs).max() ?? 0 > 0.05)
            }
        }
    }

    @Test("a stream without sound ends a render with a separate status and the reason")
    func silentRadio() throws {
        let server = try #require(SoundServer(serving: shipped("sounds")))
        writeRadio("http://127.0.0.1:\(server.port)/none.flac")
        let outcome = program(
            "render", "radio.json", "--allow-network", "--allow-private", "--output", "radio.wav",
            "--length", "1")
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("404"))
    }

    @Test("a local stream is refused without --allow-private, with the option's name")
    func privateRadio() {
        writeRadio("http://localhost:9/organ.flac")
        let outcome = program(
            "render", "radio.json", "--allow-network", "--output", "radio.wav", "--length", "1")
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("requires --allow-private"))
    }

    @Test("the environment cannot redirect a stream")
    func environment() throws {
        let server = try #require(SoundServer(serving: shipped("sounds")))
        writeRadio("http://127.0.0.1:\(server.port)/organ.flac")
        var program = program
        program.environment = ["no_proxy=*", "http_proxy=http://127.0.0.1:9"]
        let outcome = program(
            "render", "radio.json", "--allow-network", "--allow-private", "--output", "radio.wav",
            "--length", "1")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try program.sound("radio.wav")[0].contains { abs($0) > 0.05 })
    }

    private func writeRadio(_ address: String) {
        let text = Program.text(of: shipped("web-radio.json"))
        program.folder.write(
            text.replacing("http://localhost:8017/organ.flac", with: address), to: "radio.json")
    }

    @Test("a voice in blocks of 5 ms sounds as it does in any others")
    func fiveMilliseconds() throws {
        try program.write([whiteNoise(amplitude: 0.3, frames: 24_000)], to: "mic.wav")
        let wanted = try render("voice-in-5-ms.json", "--input", "mic.wav", "--block", "64")
        #expect(try render("voice-in-5-ms.json", "--input", "mic.wav", "--block", "240") == wanted)
        #expect(wanted[0].map(abs).max() ?? 0 > 0.05)
    }
}
