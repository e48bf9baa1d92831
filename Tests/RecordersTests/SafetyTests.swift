import Glibc
import SoundFiles
import Testing
import TestSignals

@Suite("A take in adverse conditions", .serialized)
struct SafetyTests {
    static let files = ["16.wav", "24.wav", "32.wav", "16.flac", "24.flac", "vorbis.ogg"]

    @Test(
        "lacks at most one second after the program is killed", arguments: [44_100.0, 96_000],
        ["noise", "silence"])
    func killed(sampleRate: Double, signal: String) throws {
        let folder = ScratchFolder()
        let makers = try (0..<2).map { number in
            try TakeMaker(folder.file("\(number)"), sampleRate, signal, seconds: 60)
        }
        for maker in makers {
            // A random duration, so that every run is killed at another fraction of a second.
            let wanted = Int(sampleRate * Double.random(in: 0.6...1.6))
            let frames = try maker.kill(after: wanted)
            for file in Self.files {
                let reader = try SoundFileReader(path: "\(maker.folder)/\(file)")
                let sound = try reader.readChannels()
                let lost = frames - sound[0].count
                #expect(Double(lost) <= sampleRate, "\(file): \(lost) of \(frames) frames lost")
                #expect(reader.frameCount == sound[0].count)
                try expectSound(sound, file, isSilent: signal == "silence")
            }
        }
    }

    @Test("ends with a reason when the disk is full, and remains readable")
    func fullDisk() throws {
        let folder = ScratchFolder()
        let maker = try TakeMaker(
            folder.file("full"), 44_100, "noise", seconds: 3, limitBytes: 200_001)
        let lines = try maker.wait()
        #expect(lines.contains("passed true"))
        for file in Self.files where file != "vorbis.ogg" {
            let path = "\(maker.folder)/\(file)"
            let start =
                "\(file) takeStopped(path: \"\(path)\", reason: \"File too large\", readableSeconds: "
            let reported = try #require(lines.first { $0.hasPrefix(start) })
            let seconds = try #require(Double(reported.dropFirst(start.count).dropLast()))
            #expect(lines.contains { $0.hasPrefix("\(file) ") && $0.hasSuffix(" 1.0 0.0 3.0") })
            let sound = try SoundFileReader(path: path).readChannels()
            #expect(seconds == Double(sound[0].count) / 44_100)
            // Everything that fits, except for a piece that would fit only in part.
            #expect(sound[0].count > 200_001 / 8 - 4410)
            try expectSound(sound, file, isSilent: false)
        }
    }

    @Test("leaves no file on a full disk, and the error is reported")
    func noRoom() throws {
        let folder = ScratchFolder()
        let maker = try TakeMaker(folder.file("none"), 44_100, "noise", seconds: 1, limitBytes: 40)
        let lines = try maker.wait()
        #expect(lines.contains("passed true"))
        for file in Self.files {
            let path = "\(maker.folder)/\(file)"
            #expect(
                lines.contains(
                    "\(file) takeStopped(path: \"\(path)\", reason: \"File too large\", readableSeconds: 0.0)"
                ), "\(lines)")
        }
        #expect(names(in: maker.folder) == [])
    }

    @Test("loses nothing if the disk stalls for less than the length of the ring")
    func slowDisk() throws {
        let folder = ScratchFolder()
        let maker = try TakeMaker(
            folder.file("slow"), 44_100, "noise", seconds: 5, stillMilliseconds: 3000)
        let lines = try maker.wait()
        #expect(lines.contains("passed true"))
        #expect(lines.contains("finished true"))
        for file in Self.files {
            #expect(lines.contains { $0.hasPrefix("\(file) ") && $0.hasSuffix(" 1.0 0.0 2.0") })
            let sound = try SoundFileReader(path: "\(maker.folder)/\(file)").readChannels()
            #expect(sound[0].count == maker.framesPassed + 256)
        }
    }

    @Test("contains as much silence as was lost if the disk stalls for longer")
    func stillDisk() throws {
        let folder = ScratchFolder()
        let maker = try TakeMaker(
            folder.file("still"), 44_100, "noise", seconds: 12, stillMilliseconds: 8500)
        let lines = try maker.wait()
        #expect(lines.contains("passed true"))
        for file in Self.files {
            let reported = try #require(lines.last { $0.hasPrefix("\(file) starved") })
            let number = try #require(reported.split(separator: " ").last?.dropLast())
            let lost = try #require(Int(number))
            #expect(lost > 0)
            #expect(
                lines.contains {
                    $0.hasPrefix("\(file) ") && $0.hasSuffix(" 1.0 \(Float(lost)) 2.0")
                })
            let sound = try SoundFileReader(path: "\(maker.folder)/\(file)").readChannels()
            #expect(sound[0].count == maker.framesPassed + 256)
            guard file == "32.wav" else { continue }
            let silent = sound[0].indices.filter { sound[0][$0] == 0 && sound[1][$0] == 0 }
            let first = try #require(silent.first)
            #expect(silent == Array(first..<first + lost))
            let wrong = sound[0].indices.filter { frame in
                !(first..<first + lost).contains(frame) && frame < maker.framesPassed
                    && sound[0][frame] != TakeMaker.noise(frame, channel: 0)
            }
            #expect(wrong == [])
        }
    }

    /// Compares a take with the signal of `take-maker`; Ogg Vorbis only by its level.
    private func expectSound(_ sound: [[Float]], _ file: String, isSilent: Bool) throws {
        #expect(sound.count == 2)
        if file == "vorbis.ogg" {
            let level = rms(sound[0])
            #expect(isSilent ? level < 1e-4 : abs(level - 0.2887) < 0.03)
            return
        }
        let tolerance: Float =
            file.hasPrefix("32") ? 0 : file.hasPrefix("24") ? 0.5 / 8_388_608 : 1.51 / 32_768
        for channel in 0..<2 {
            let wrong = sound[channel].indices.first { frame in
                let played = isSilent ? 0 : TakeMaker.noise(frame, channel: channel)
                return abs(sound[channel][frame] - played) > tolerance
            }
            #expect(wrong == nil, "\(file): frame \(wrong ?? 0) of channel \(channel)")
        }
    }
}
