internal import Glibc
internal import SoundFiles
internal import TestSignals

/// The files that the players and loopers of a night use.
final class NightSounds {
    private let folder = ScratchFolder()

    /// Writes the files: two long ones that are read in pages, two short ones, and a loop.
    init(_ random: inout RandomSource) throws {
        for (name, seconds, channels) in [
            ("long.wav", 9.0, 1), ("other.wav", 5.0, 2), ("short.wav", 0.7, 1),
            ("cue.wav", 0.3, 2), ("loop.wav", 0.5, 1),
        ] {
            try write(name, frames: Int(seconds * 48_000), channels: channels, &random)
        }
    }

    private func write(
        _ name: String, frames: Int, channels: Int, _ random: inout RandomSource
    ) throws {
        let writer = try SoundFileWriter(
            path: path(name), channels: channels, sampleRate: 48_000, expectedFrames: frames)
        var phase = 0.0
        let samples = (0..<frames * channels).map { _ in
            phase += 0.01
            return Float(0.2 * sin(phase) + Double.random(in: -0.02...0.02, using: &random))
        }
        let start = UnsafeMutablePointer<Float>.allocate(capacity: samples.count)
        defer { start.deallocate() }
        start.initialize(from: samples, count: samples.count)
        try writer.write(frames, from: start)
        try writer.close()
    }

    /// Returns the path of a file.
    func path(_ name: String) -> String { folder.file(name) }

    /// The keys of a random player.
    func player(_ random: inout RandomSource) -> String {
        let long = path("long.wav"), other = path("other.wav")
        return random.pick([
            "\"settings\": { \"file\": \"\(long)\", \"swell\": 0, \"preload\": 0.5 }, "
                + "\"parameters\": { \"loop\": true }",
            "\"settings\": { \"file\": \"\(long)\", \"preload\": 0.5, \"crossfade\": 0.4, "
                + "\"end\": 2 }, \"parameters\": { \"loop\": true, \"rate\": 0.8 }",
            "\"settings\": { \(list(&random)), \"shuffle\": true, \"preload\": 0.5 }, "
                + "\"parameters\": { \"loop\": true }",
            "\"settings\": { \(list(&random)), \"start-on\": \"beat\" }",
            "\"settings\": { \"files\": [\"\(path("cue.wav"))\", \"\(path("short.wav"))\"], "
                + "\"polyphony\": 2 }",
            "\"settings\": { \"file\": \"\(other)\", \"sync\": true, \"preload\": 0.5 }, "
                + "\"parameters\": { \"loop\": true }",
            "\"settings\": { \"file\": \"\(other)\", \"restart\": true, \"swell-out\": 0.3 }, "
                + "\"parameters\": { \"semitones\": 3 }",
        ])
    }

    /// A random list of files, as a key of the settings.
    func list(_ random: inout RandomSource) -> String {
        let names = (0..<Int.random(in: 2...4, using: &random)).map { _ in
            random.pick(["long.wav", "other.wav", "short.wav"])
        }
        return "\"files\": ["
            + names.map { "{ \"file\": \"\(path($0))\", \"gain\": \(random.pick([0, -6])) }" }
            .joined(separator: ", ") + "]"
    }

    /// The keys of a looper.
    var looper: String {
        ", \"settings\": { \"file\": \"\(path("loop.wav"))\", \"maximum\": 4 }"
    }
}
