internal import Glibc
internal import Platform
internal import Processing
internal import SoundFiles

/// The WAV file of a loop.
struct LoopFile {
    let path: String

    /// Whether the file exists.
    var exists: Bool { access(path, F_OK) == 0 }

    /// Checks the name, and that an existing file is a sound file.
    ///
    /// - Throws: `SettingError` for `file`.
    func check() throws(SettingError) {
        guard path.lowercased().hasSuffix(".wav"), !path.utf8.contains(0) else {
            throw SettingError("file", .range, "\"file\" must end in .wav")
        }
        guard exists else { return }
        do throws(SoundFileError) {
            _ = try SoundFileReader(path: path)
        } catch {
            throw SettingError("file", .file, "\(error)")
        }
    }

    /// Reads the loop: one array per channel.
    ///
    /// - Throws: `PluginError` if the file cannot be read, or has another rate or a length that the
    ///   looper does not allow.
    func sound(sampleRate: Double, frames: ClosedRange<Int>) throws(PluginError) -> [[Float]] {
        do throws(SoundFileError) {
            let reader = try SoundFileReader(path: path)
            guard reader.sampleRate == sampleRate else {
                throw SoundFileError(
                    path, .reading,
                    "its rate is \(Int(reader.sampleRate)) Hz, the session's is \(Int(sampleRate)) Hz; convert it with stompline convert --rate"
                )
            }
            try checkLength(reader.frameCount, frames, sampleRate)
            let sound = try reader.readChannels()
            // The stated length can be an estimate, as for MP3.
            try checkLength(sound[0].count, frames, sampleRate)
            try checkSamples(sound, sampleRate)
            return sound
        } catch {
            throw PluginError("\(error)")
        }
    }

    /// Checks that all samples are numbers: a loop would repeat NaN and infinity without end, and an
    /// overdub would keep them.
    private func checkSamples(_ sound: [[Float]], _ sampleRate: Double) throws(SoundFileError) {
        for (channel, samples) in sound.enumerated() {
            guard let frame = samples.firstIndex(where: { !$0.isFinite }) else { continue }
            let seconds = (Double(frame) / sampleRate * 1000).rounded(.down) / 1000
            throw SoundFileError(
                path, .reading,
                "channel \(channel + 1) contains \(samples[frame]) at \(seconds) s, which is no sound; record the loop again or remove the file"
            )
        }
    }

    private func checkLength(
        _ count: Int, _ frames: ClosedRange<Int>, _ sampleRate: Double
    ) throws(SoundFileError) {
        guard !frames.contains(count) else { return }
        let seconds = { (count: Int) in String(Double(count * 1000 / Int(sampleRate)) / 1000) }
        throw SoundFileError(
            path, .reading,
            "it lasts \(seconds(count)) s; a loop lasts \(seconds(frames.lowerBound)) to \(seconds(frames.upperBound)) s (\"maximum\")"
        )
    }
}

/// A file that is written next to its final name, and renamed when it is complete and on the disk.
///
/// A loss of power leaves the previous file or the new one, never a part of one.
final class UnfinishedLoop {
    private let path: String
    private let temporary: String
    private let writer: SoundFileWriter
    private var isFinished = false

    /// - Throws: `SoundFileError` if the file cannot be created.
    init(path: String, channelCount: Int, sampleRate: Double) throws(SoundFileError) {
        // The name itself is replaced, even if it is a link: a link that came with a pipeline must
        // not lead to another file.
        self.path = path
        temporary = "\(path).\(getpid()).part"
        writer = try SoundFileWriter(
            path: temporary, style: SoundFileStyle(format: "wav", bits: 32),
            channels: channelCount, sampleRate: sampleRate, expectedFrames: 0)
    }

    deinit { if !isFinished { unlink(temporary) } }

    /// Appends interleaved frames.
    ///
    /// - Throws: `SoundFileError` if the disk is full or fails.
    func write(_ frames: Int, from samples: UnsafePointer<Float>) throws(SoundFileError) {
        try writer.write(frames, from: samples)
    }

    /// Completes the file, and gives it its name.
    ///
    /// - Throws: `SoundFileError` if that fails; the previous file then remains.
    func finish() throws(SoundFileError) {
        try writer.close()
        let file = open(temporary, O_RDONLY | O_CLOEXEC)
        let isSafe = file >= 0 && fsync(file) == 0
        if file >= 0 { close(file) }
        guard isSafe, rename(temporary, path) == 0 else {
            throw SoundFileError(path, .writing, SystemError.last.message)
        }
        isFinished = true
    }
}
