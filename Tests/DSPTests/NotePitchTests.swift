import DSP
import Glibc
import Testing
import TestSignals

@Suite("Pitch of a note")
struct NotePitchTests {
    /// A sound with a pitch.
    enum Sound: String, CaseIterable, Sendable {
        case sine, saw, string, stiffString, bass, vowel, soft

        /// Returns the amplitude of each partial.
        private func amplitudes(_ hertz: Double) -> [Double] {
            switch self {
            case .sine: [0.5]
            case .soft: [0.003]
            case .saw: (1...60).map { 0.4 / Double($0) }
            case .string, .stiffString: [0.4, 0.3, 0.35, 0.2, 0.15, 0.2, 0.1, 0.1, 0.05]
            // A loudspeaker or pickup that loses the fundamental.
            case .bass: [0.004, 0.4, 0.2, 0.1, 0.05]
            case .vowel:
                (1...40).map { number in
                    let place = hertz * Double(number)
                    let formants = [(700.0, 130.0), (1220, 70), (2600, 160)]
                    return 0.01
                        + formants.reduce(0) { $0 + 0.2 / (1 + pow((place - $1.0) / $1.1, 2)) }
                }
            }
        }

        func signal(_ hertz: Double, seconds: Double, sampleRate: Double) -> [Float] {
            let stiffness = self == .stiffString ? 2e-4 : 0
            let decay = self == .string || self == .stiffString ? 1.5 : 0
            var signal = [Double](repeating: 0, count: Int(seconds * sampleRate))
            for (index, amplitude) in amplitudes(hertz).enumerated() {
                let number = Double(index + 1)
                let stretch = ((1 + stiffness * number * number) / (1 + stiffness)).squareRoot()
                let step = 2 * Double.pi * number * hertz * stretch / sampleRate
                guard step < 0.9 * .pi else { break }
                for frame in signal.indices {
                    let fall = exp(-decay * number * Double(frame) / sampleRate)
                    signal[frame] += amplitude * fall * sin(step * Double(frame) + number * number)
                }
            }
            return signal.map(Float.init)
        }
    }

    /// Returns all readings, one per twelfth of a second.
    private func readings(
        _ signal: [Float], sampleRate: Double, blocks: [Int] = [64]
    ) -> [Float] {
        var pitch = NotePitch(sampleRate: sampleRate)
        let period = Int(sampleRate / 12)
        var (frame, block, readings) = (0, 0, [Float]())
        signal.withUnsafeBufferPointer { samples in
            guard let first = samples.baseAddress else { return }
            while frame < samples.count {
                let untilReading = period - frame % period
                let count = min(blocks[block % blocks.count], untilReading, samples.count - frame)
                pitch.run(first + frame, count)
                frame += count
                block += 1
                if frame % period == 0 { readings.append(pitch.hertz) }
            }
        }
        return readings
    }

    private func cents(_ reading: Float, from hertz: Double) -> Double {
        1200 * log2(Double(reading) / hertz)
    }

    @Test(
        "is accurate to a tenth of a cent from 40 Hz to 2 kHz",
        arguments: Sound.allCases, [44_100.0, 48_000, 96_000, 192_000])
    func exact(_ sound: Sound, _ sampleRate: Double) {
        let pitches = [40, 41.2, 61.7, 82.41, 110, 196, 329.6, 659.3, 1174.7, 2000]
        for hertz in pitches where sound != .bass || hertz < 700 {
            let signal = sound.signal(hertz, seconds: 0.5, sampleRate: sampleRate)
            let late = readings(signal, sampleRate: sampleRate).dropFirst(4)
            #expect(
                late.allSatisfy { abs(cents($0, from: hertz)) < 0.1 }, "\(hertz) Hz: \(late)")
        }
    }

    @Test("is detected within 0.3 s of the start of a note, without a wrong octave before")
    func first() {
        for hertz in [40, 82.41, 110, 246.9, 659.3, 2000] {
            for rest in [0.05, 0.08, 0.1, 0.13] {
                let silence = [Float](repeating: 0, count: Int(rest * 48_000))
                let tone = Sound.stiffString.signal(hertz, seconds: 0.3, sampleRate: 48_000)
                let readings = readings(silence + tone, sampleRate: 48_000)
                #expect((readings.last ?? 0) > 0)
                #expect(readings.allSatisfy { $0 == 0 || abs(cents($0, from: hertz)) < 20 })
            }
        }
    }

    @Test("has no octave error on a plucked string, wherever the string is plucked")
    func plucked() {
        for hertz in [41.2, 82.41, 110, 146.8, 246.9, 329.6, 659.3] {
            for place in [0.04, 0.13, 0.28, 0.33, 0.45] {
                let signal = string(hertz, pluckedAt: place)
                let readings = readings(signal, sampleRate: 48_000).filter { $0 > 0 }
                #expect(readings.count >= 8)
                #expect(
                    readings.allSatisfy { abs(cents($0, from: hertz)) < 20 },
                    "\(hertz) Hz: \(readings)")
            }
        }
    }

    /// Returns a string with faint noise, whose higher partials decay faster.
    private func string(_ hertz: Double, pluckedAt place: Double) -> [Float] {
        var signal = whiteNoise(amplitude: 1e-4, frames: 48_000)
        for number in 1...40 {
            let m = Double(number)
            let amplitude = 0.5 * sin(.pi * m * place) / m / (1 + m * hertz / 3000)
            let step = 2 * Double.pi * m * hertz * (1 + 2e-5 * (m * m - 1)) / 48_000
            guard step < 0.9 * .pi else { break }
            for frame in 4800..<signal.count {
                let fall = exp(-(0.6 + m * hertz / 900) * Double(frame - 4800) / 48_000)
                signal[frame] += Float(amplitude * fall * sin(step * Double(frame - 4800)))
            }
        }
        return signal
    }

    @Test("is accurate to a cent in noise 30 dB below the tone", arguments: [40.0, 110, 440, 2000])
    func noisy(_ hertz: Double) {
        let tone = sineWave(hertz, frames: 48_000, sampleRate: 48_000)
        // A uniform distribution's RMS is its amplitude over √3.
        let noise = whiteNoise(amplitude: Float(0.5 * (1.5 / 1000).squareRoot()), frames: 48_000)
        let late = readings(zip(tone, noise).map(+), sampleRate: 48_000).dropFirst(3)
        #expect(late.allSatisfy { abs(cents($0, from: hertz)) < 1 }, "\(late)")
    }

    @Test("is 0 for silence, noise, and tones outside its range")
    func none() {
        let frames = 48_000
        let silence = [Float](repeating: 0, count: frames)
        let step = silence.map { _ in Float(0.5) }
        let low = sineWave(25, frames: frames, sampleRate: 48_000)
        let high = sineWave(3000, frames: frames, sampleRate: 48_000)
        for signal in [silence, step, whiteNoise(frames: frames), low, high] {
            #expect(readings(signal, sampleRate: 48_000).allSatisfy { $0 == 0 })
        }
    }

    @Test("follows changes between notes and silence without a wrong note in between")
    func changes() {
        let notes = [329.6, 440, 110, 82.41, 164.8].map {
            Sound.string.signal($0, seconds: 0.75, sampleRate: 48_000)
        }
        let silence = [Float](repeating: 0, count: 20_000)
        let readings = readings(notes.flatMap { $0 } + silence, sampleRate: 48_000)
        let names = readings.map { $0 == 0 ? 0 : Int((69 + 12 * log2($0 / 440)).rounded()) }
        let course = names.reduce(into: [Int]()) { if $0.last != $1 { $0.append($1) } }
        #expect(course == [0, 64, 69, 45, 40, 52, 0])
    }

    @Test("has no memory of the signal after a reset")
    func reset() {
        let signal = Sound.string.signal(110, seconds: 0.33, sampleRate: 48_000)
        var pitch = NotePitch(sampleRate: 48_000)
        pitch.run(signal, signal.count)
        let first = (pitch.hertz, pitch.level)
        #expect(first.0 > 0)
        pitch.reset()
        #expect((pitch.hertz, pitch.level) == (0, 0))
        pitch.run(signal, signal.count)
        #expect((pitch.hertz, pitch.level) == first)
    }

    @Test("is the same for every partition of the signal into blocks")
    func partition() {
        let signal = Sound.string.signal(82.41, seconds: 0.6, sampleRate: 44_100)
        let whole = readings(signal, sampleRate: 44_100, blocks: [4096])
        #expect(whole.contains { $0 > 0 })
        for blocks in [[1], [16, 64, 1], [31, 1000, 7]] {
            #expect(readings(signal, sampleRate: 44_100, blocks: blocks) == whole)
        }
    }
}
