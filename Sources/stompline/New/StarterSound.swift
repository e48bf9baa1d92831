internal import Glibc
internal import Platform
internal import SoundFiles

/// A sound that `stompline new` makes for a template, until the user has a sound of his own.
struct StarterSound: Sendable {
    /// The folder of the sounds, next to the file of the pipeline.
    static let folder = "sounds"
    private static let sampleRate = 48_000.0

    /// The name of the file in the folder.
    let name: String
    /// The length in seconds.
    let seconds: Double
    /// Returns the sample at a time in seconds; the noise is from -1 through 1.
    let sample: @Sendable (_ seconds: Double, _ noise: Double) -> Double

    /// Two chords of an organ.
    static let music = StarterSound(name: "music.flac", seconds: 8) { time, _ in
        let chord = time < 4 ? [130.81, 196, 261.63, 329.63] : [110, 164.81, 220, 261.63]
        let place = time.truncatingRemainder(dividingBy: 4)
        let level = min(1, min(place, 4 - place) / 0.3)
        return chord.reduce(0) { sum, frequency in
            let angle = 2 * .pi * frequency * time
            return sum + level * 0.06 * (sin(angle) + 0.4 * sin(2 * angle) + 0.2 * sin(3 * angle))
        }
    }

    /// Even noise with a slow swell.
    static let rain = StarterSound(name: "rain.flac", seconds: 6) { time, noise in
        0.25 * noise * (1 + 0.2 * sin(2 * .pi * time / 3))
    }

    /// A deep rumble that dies away.
    static let thunder = StarterSound(name: "thunder.flac", seconds: 5) { time, noise in
        let attack = min(1, time / 0.05)
        let rumble = (1...12).reduce(0.0) { sum, index in
            let frequency = 27.0 * Double(index) * (1 + 0.013 * Double(index * index % 7))
            return sum + sin(2 * .pi * frequency * time + Double(index * index)) / Double(index)
        }
        return attack * exp(-time) * (0.25 * rumble + 0.08 * noise)
    }

    /// Two strokes of a bell.
    static let doorbell = StarterSound(name: "doorbell.flac", seconds: 2.5) { time, _ in
        let strokes = [(start: 0.0, frequency: 659.26), (start: 0.6, frequency: 523.25)]
        return strokes.reduce(0) { sum, stroke in
            let passed = time - stroke.start
            guard passed >= 0 else { return sum }
            let angle = 2 * .pi * stroke.frequency * passed
            return sum + 0.25 * min(1, passed / 0.003) * exp(-3 * passed)
                * (sin(angle) + 0.3 * sin(2.76 * angle))
        }
    }

    /// Writes the sound, or its beginning, into a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - longestSeconds: The longest time to write.
    /// - Throws: `SoundFileError` if the file cannot be written.
    func write(into folder: String, longestSeconds: Double = 60) throws(SoundFileError) {
        let count = Int(exactly: (min(seconds, longestSeconds) * Self.sampleRate).rounded()) ?? 0
        let path = "\(folder)/\(name)"
        var state: UInt32 = 1
        let samples = (0..<count).map { frame -> Float in
            state = state &* 1_664_525 &+ 1_013_904_223
            let noise = Double(Int32(bitPattern: state)) / 0x1p31
            return Float(sample(Double(frame) / Self.sampleRate, noise))
        }
        let file = try SoundFileWriter(
            path: path, style: SoundFileStyle(path: path, bits: 16), channels: 1,
            sampleRate: Self.sampleRate, expectedFrames: count)
        var failure: SoundFileError?
        samples.withUnsafeBufferPointer { samples in
            guard let first = samples.baseAddress else { return }
            do throws(SoundFileError) { try file.write(count, from: first) } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        try file.close()
    }
}

/// The sounds of a template in the folder next to a new file.
struct StarterSounds {
    private let folder: String
    private let made: [StarterSound]
    private let isFolderMade: Bool

    /// Writes the sounds that are not there yet; existing files are never changed.
    ///
    /// - Parameters:
    ///   - sounds: The sounds.
    ///   - path: The path of the file of the pipeline.
    /// - Throws: `Failure` if the folder or a sound cannot be written.
    init(_ sounds: [StarterSound], nextTo path: String) throws {
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        folder = parent + StarterSound.folder
        guard !sounds.isEmpty else {
            (made, isFolderMade) = ([], false)
            return
        }
        isFolderMade = mkdir(folder, 0o777) == 0
        let folder = folder
        made = sounds.filter { !StarterFile.exists("\(folder)/\($0.name)") }
        for sound in made {
            do throws(SoundFileError) { try sound.write(into: folder) } catch {
                remove()
                throw Failure(error)
            }
        }
    }

    /// Removes what was written.
    func remove() {
        for sound in made { unlink("\(folder)/\(sound.name)") }
        if isFolderMade { rmdir(folder) }
    }
}

/// The beginnings of the sounds of a template in a temporary folder, for a check of its text.
struct StarterSamples {
    /// The folder with a slash at its end; empty if there are no sounds, or no folder can be made.
    let folder: String
    private let sounds: [StarterSound]

    /// Writes the beginnings.
    ///
    /// The check reports those that cannot be written.
    init(of sounds: [StarterSound]) {
        self.sounds = sounds
        guard !sounds.isEmpty, let path = TemporaryFolder.make("stompline-new") else {
            folder = ""
            return
        }
        folder = path + "/"
        let place = folder + StarterSound.folder
        mkdir(place, 0o700)
        for sound in sounds { try? sound.write(into: place, longestSeconds: 0.1) }
    }

    /// Removes the folder.
    func remove() {
        guard !folder.isEmpty else { return }
        for sound in sounds { unlink("\(folder)\(StarterSound.folder)/\(sound.name)") }
        rmdir(folder + StarterSound.folder)
        rmdir(String(folder.dropLast()))
    }
}
