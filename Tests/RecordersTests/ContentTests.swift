import Processing
import Recorders
import SoundFiles
import Testing
import TestSignals

@Suite("A recording")
struct ContentTests {
    @Test(
        "contains the sound that passes the recorder unchanged", arguments: [false, true],
        [Partition.even(1), .even(64), .even(4096), .random(seed: 7)])
    func exact(isLive: Bool, _ partition: Partition) throws {
        let recording = Recording(isLive: isLive)
        let signal = recording.noise(frames: 20_000)
        let output = try recording.record(
            signal, to: "take.wav", ["bits": .number(32)], partition: partition)
        #expect(output == signal)
        #expect(try recording.sound(of: "take.wav") == signal)
    }

    @Test("has 24 bits within half a step", arguments: ["wav", "flac"], [1, 2, 7])
    func halfAStep(_ format: String, channels: Int) throws {
        var recording = Recording()
        recording.channels = channels
        let signal = recording.noise(frames: 10_001)
        try recording.record(signal, to: "take.\(format)")
        let sound = try recording.sound(of: "take.\(format)")
        #expect(sound.count == channels)
        for (read, played) in zip(sound, signal) {
            #expect(read.count == played.count)
            let errors = zip(read, played).map { abs($0 - $1) }
            #expect((errors.max() ?? 1) <= 0.5 / 8_388_608)
        }
    }

    @Test("is clipped at full scale, and silent for samples that are not numbers")
    func extremes() throws {
        let recording = Recording(channels: 1)
        let signal: [[Float]] = [[2, -2, .nan, .infinity, 0.5]]
        for (file, bits) in [("24.wav", 24.0), ("24.flac", 24), ("32.wav", 32)] {
            let output = try recording.record(signal, to: file, ["bits": .number(bits)])
            #expect(output[0].map(\.bitPattern) == signal[0].map(\.bitPattern))
            let full: Float = bits == 32 ? 2 : 8_388_607 / 8_388_608
            let lowest: Float = bits == 32 ? -2 : -1
            #expect(try recording.sound(of: file) == [[full, lowest, 0, 0, 0.5]])
        }
    }

    @Test("has 16 bits with dither that is independent of the signal", arguments: ["wav", "flac"])
    func dither(_ format: String) throws {
        let recording = Recording()
        let quiet = sineWave(997, amplitude: 0.4 / 32_768, frames: 96_000, sampleRate: 48_000)
        try recording.record([quiet, quiet], to: "take.\(format)", ["bits": .number(16)])
        let sound = try recording.sound(of: "take.\(format)")
        let errors = sound.map { zip($0, quiet).map { Double(($0 - $1) * 32_768) } }
        for error in errors {
            let mean = error.reduce(0, +) / Double(error.count)
            let power = error.map { $0 * $0 }.reduce(0, +) / Double(error.count)
            #expect(abs(mean) < 0.01)
            // Two triangular steps and the rounding: 1/6 + 1/12 of a step squared.
            #expect(abs(power - 0.25) < 0.01)
            // The error is uncorrelated with the signal, 40 dB below it, although the signal itself
            // is below a step.
            #expect(abs(correlation(error, quiet.map(Double.init))) < 0.01)
        }
        #expect(abs(correlation(errors[0], errors[1])) < 0.01)
        #expect(abs(correlation(Array(errors[0].dropFirst()), errors[0])) < 0.01)
    }

    @Test(
        "in Ogg has the length of the signal, and sounds like it",
        arguments: [1, 1000, 48_000, 99_999])
    func vorbis(frames: Int) throws {
        let recording = Recording()
        let signal = [
            sineWave(440, frames: frames, sampleRate: 48_000),
            sineWave(660, frames: frames, sampleRate: 48_000),
        ]
        try recording.record(signal, to: "take.ogg")
        let sound = try recording.sound(of: "take.ogg")
        #expect(sound.map(\.count) == [frames, frames])
        guard frames >= 48_000 else { return }
        for (read, played) in zip(sound, signal) {
            #expect(rms(zip(read, played).map { $0 - $1 }) < 0.02 * rms(played))
        }
    }

    @Test(
        "is the same file for every partition", arguments: ["wav", "flac", "ogg"])
    func repeatable(_ format: String) throws {
        let recording = Recording()
        let signal = recording.noise(frames: 60_000)
        let settings: [String: SettingValue] = format == "ogg" ? [:] : ["bits": .number(16)]
        var files: [[UInt8]] = []
        for (index, partition) in [Partition.even(64), .even(1000), .random(seed: 3)].enumerated() {
            try recording.record(signal, to: "\(index).\(format)", settings, partition: partition)
            files.append(try recording.bytes(of: "\(index).\(format)"))
        }
        #expect(files[0].count > 10_000)
        #expect(files[1] == files[0])
        #expect(files[2] == files[0])
    }

    @Test("is possible at every sample rate", arguments: [8000.0, 44_100, 96_000, 192_000])
    func rates(_ sampleRate: Double) throws {
        let recording = Recording(sampleRate: sampleRate)
        let signal = recording.noise(frames: 30_000)
        for format in ["wav", "flac", "ogg"] {
            try recording.record(signal, to: "take.\(format)")
            let reader = try SoundFileReader(path: recording.folder.file("take.\(format)"))
            #expect(reader.sampleRate == sampleRate)
            #expect(reader.frameCount == 30_000)
        }
    }

    @Test("is reported with length, peak and RMS, and again when it is complete")
    func levels() throws {
        let recording = Recording(channels: 1)
        let recorder = try recording.recorder("take.wav", ["pre-roll": .number(1)])
        #expect(["recorded", "peak", "rms", "takes"].map(recorder.report) == [0, -160, -160, 0])
        let sine = sineWave(997, frames: 49_152, sampleRate: 49_152)
        _ = recorder.render([sine], moves: [Move(Parameter.recording, to: 0, at: 49_151)])
        _ = recorder.render([[Float](repeating: 1, count: 8192)])
        #expect(recorder.report("recorded") == 49_151.0 / 48_000)
        #expect(abs(recorder.report("peak") + 6.02) < 0.01)
        #expect(abs(recorder.report("rms") + 9.03) < 0.01)
        #expect(recorder.report("takes") == 1)
        let path = recording.folder.file("take.wav")
        #expect(recorder.incidentsSoFar() == [.takeStarted(path: path)])
        recorder.resetState()
        _ = recorder.render([[Float](repeating: 1, count: 8192)])
        guard case .takeFinished(path, let seconds, let peak)? = recorder.incidents?.next() else {
            Issue.record("no take was finished")
            return
        }
        #expect(seconds == 49_151.0 / 48_000)
        #expect(abs(peak + 6.02) < 0.01)
    }

    @Test(
        "reports how many samples its format has clipped, and the time of the first one",
        arguments: [
            ("take.wav", 24.0, true), ("take.wav", 16, true), ("take.flac", 24, true),
            ("take.wav", 32, false), ("take.ogg", nil, false),
        ] as [(String, Double?, Bool)])
    func clipping(_ file: String, bits: Double?, isClipped: Bool) throws {
        let recording = Recording()
        var signal = [[Float]](repeating: [Float](repeating: 0.25, count: 9600), count: 2)
        signal[0][7200] = -2
        signal[1][4800] = 1.5
        signal[1][4801] = 1
        signal[1][4802] = .infinity
        let settings = bits.map { ["bits": SettingValue.number($0)] } ?? [:]
        try recording.record(signal, to: file, settings)
        #expect(recording.thread.finish(withinSeconds: 20))
        var reported: [Incident] = []
        while let found = recording.thread.nextIncident() { reported.append(found.incident) }
        let found = reported.compactMap { incident -> (Int, Double, Double)? in
            guard case .takeClipped(_, let samples, let seconds, let peak) = incident else {
                return nil
            }
            return (samples, seconds, peak)
        }
        #expect(found.map(\.0) == (isClipped ? [2] : []))
        #expect(found.map(\.1) == (isClipped ? [0.1] : []))
        #expect(found.allSatisfy { abs($0.2 - 6.02) < 0.01 })
    }

    @Test("is not clipped at exactly full scale")
    func fullScale() throws {
        let recording = Recording(channels: 1)
        try recording.record([[1, -1, 0.5]], to: "take.wav")
        #expect(recording.thread.finish(withinSeconds: 20))
        var reported: [Incident] = []
        while let found = recording.thread.nextIncident() { reported.append(found.incident) }
        let path = recording.folder.file("take.wav")
        #expect(reported.last == .takeFinished(path: path, seconds: 3.0 / 48_000, peak: 0))
    }

    @Test("is reported even if its recorder has been removed", arguments: [false, true])
    func farewell(isLive: Bool) throws {
        let recording = Recording(channels: 1, isLive: isLive)
        try recording.record([[Float](repeating: 1, count: 4800)], to: "take.wav")
        #expect(recording.thread.finish(withinSeconds: 20))
        var reported: [NodeIncident] = []
        while let found = recording.thread.nextIncident() { reported.append(found) }
        let path = recording.folder.file("take.wav")
        #expect(
            reported.last
                == NodeIncident(
                    node: "tape", label: "Recorder",
                    .takeFinished(path: path, seconds: 0.1, peak: 0)))
    }
}

/// Returns the correlation of two signals over the length of the shorter one.
private func correlation(_ a: [Double], _ b: [Double]) -> Double {
    let products = zip(a, b).map { $0 * $1 }.reduce(0, +)
    let powers = zip(a, b).reduce((0.0, 0.0)) { ($0.0 + $1.0 * $1.0, $0.1 + $1.1 * $1.1) }
    return products / (powers.0 * powers.1).squareRoot()
}
