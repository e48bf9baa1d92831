import CRealtime
import Processing
import Testing
import TestSignals

/// The indices of the parameters.
private enum Index { static let release: Int32 = 3, hold: Int32 = 6, clear: Int32 = 7 }

/// The indices of the reports.
private enum Report { static let notches = 0, frequency = 1, reduction = 2 }

/// Frequencies that are not multiples of each other.
private let twelve = (0..<12).map { 200 * rt_pow(1.34, Double($0)) }

/// Returns a tone whose level rises from the first frame on, and then stays at a level.
private func howl(
    _ hertz: Double, decibelsPerSecond speed: Double, from start: Double = -70,
    to end: Double = -12,
    frames: Int, sampleRate: Double = 48_000
) -> [Float] {
    sineWave(hertz, amplitude: 1, frames: frames, sampleRate: sampleRate).enumerated().map {
        let level = min(start + speed * Double($0.offset) / sampleRate, end)
        return $0.element * Float(rt_pow(10, level / 20))
    }
}

private func sum(_ signals: [[Float]]) -> [Float] {
    signals[0].indices.map { frame in signals.reduce(0) { $0 + $1[frame] } }
}

/// Returns syllables of a sung vowel with pauses, with the given RMS in dB.
private func syllables(seconds: Int, rms wanted: Double) -> [Float] {
    let pitches = [110.0, 131, 98, 123, 147, 117]
    var signal: [Float] = []
    for index in 0..<(4 * seconds) {
        let pitch = pitches[index % pitches.count]
        let count = 12_000
        // The pitch falls within a syllable, as in speech.
        let course = (0..<count).map { pitch * (1.1 - 0.2 * Double($0) / Double(count)) }
        let vowel = SungVowel().sung(at: course, sampleRate: 48_000)
        signal += vowel.enumerated().map { frame, sample in
            let place = Float(frame) / Float(count)
            return sample * max(0, min(1, min(20 * place, 4 * (0.85 - place))))
        }
    }
    let noise = whiteNoise(amplitude: 1e-4, frames: signal.count)
    let factor = Float(rt_pow(10, wanted / 20) / rms(signal))
    return zip(signal, noise).map { factor * $0 + $1 }
}

/// Returns music: plucked chords, a melody with vibrato, an organ that swells, a bass and a drum.
private func plucked(seconds: Int) -> [Float] {
    let frames = 48_000 * seconds
    var signal = [Float](repeating: 0, count: frames)
    func add(_ hertz: Double, at start: Int, _ count: Int, _ level: (Double) -> Double) {
        for frame in 0..<min(count, frames - start) {
            let time = Double(frame) / 48_000
            signal[start + frame] += Float(
                level(time) * rt_sin(2 * Double.pi * hertz * time))
        }
    }
    for beat in 0..<(2 * seconds) {
        let start = 24_000 * beat
        let root = [110.0, 146.83, 98, 130.81][beat / 4 % 4]
        for note in [1, 1.498, 2, 2.52] {
            for partial in 1...6 {
                let hertz = root * note * Double(partial)
                add(hertz, at: start, 40_000) { time in
                    0.05 / Double(partial) * rt_exp(-time * (2 + Double(partial)))
                }
            }
        }
        add(root / 2, at: start, 20_000) { 0.15 * rt_exp(-6 * $0) }
        add(60, at: start, 9000) { 0.3 * rt_exp(-20 * $0) }
        if beat % 8 == 0 {
            for partial in [1.0, 2, 3, 4] {
                add(4 * root * partial, at: start, 96_000) { time in
                    0.03 / partial * min(1, time) * min(1, max(0, 2 - time))
                }
            }
        }
    }
    var phase = 0.0
    for frame in signal.indices {
        let time = Double(frame) / 48_000
        let note = [440.0, 493.88, 523.25, 587.33, 659.26][Int(time * 2) % 5]
        phase += note * (1 + 0.02 * rt_sin(2 * Double.pi * 5.5 * time)) / 48_000
        let place = (time * 2).truncatingRemainder(dividingBy: 1)
        let level = 0.1 * min(1, min(12 * place, 8 * (1 - place)))
        for partial in 1...5 {
            signal[frame] += Float(
                level / Double(partial) * rt_sin(2 * Double.pi * phase * Double(partial)))
        }
    }
    return signal
}

/// Returns the level of a sine in a part of a signal, in dB.
private func level(_ signal: ArraySlice<Float>, at hertz: Double) -> Double {
    let amplitude = spectrumAmplitude(Array(signal), at: hertz, sampleRate: 48_000)
    return levelDecibels(2 * amplitude / Double(signal.count))
}

@Suite("Feedback guard")
struct FeedbackGuardTests {
    private static let still = FeedbackRoom(isMoving: false, reverberation: 0.5)
    private static let moving = FeedbackRoom(isMoving: true, reverberation: 0.4)
    /// A howl of 1 kHz that falls by its notch, as in a room.
    private static let falling = (0..<24_000).map { frame in
        Float(rt_exp(-Double(frame) / 2000) * rt_sin(2 * Double.pi * Double(frame) / 48) * 0.1)
    }

    @Test("passes sound without howls unchanged, bit for bit")
    func transparent() {
        let signals = [whiteNoise(frames: 96_000), whiteNoise(frames: 96_000, seed: 2)]
        #expect(effect("feedback-guard").processor(channels: 2).render(signals) == signals)
        let words = syllables(seconds: 4, rms: -20)
        #expect(effect("feedback-guard").processor().render([words]) == [words])
    }

    @Test(
        "finds a howl within 200 ms, once it has risen above the noise",
        arguments: [150.0, 440, 1000, 3300, 9000], [60.0, 150, 300])
    func speed(_ hertz: Double, _ speed: Double) {
        let noise = whiteNoise(amplitude: 0.0005, frames: 144_000)
        let tone = howl(hertz, decibelsPerSecond: speed, from: -100, frames: 120_000)
        let processor = effect("feedback-guard").processor()
        let silent = processor.render([Array(noise[..<24_000])])[0]
        #expect(silent == Array(noise[..<24_000]))
        let input = zip(tone, noise[24_000...]).map { $0 + $1 }
        var found = Int.max
        for first in stride(from: 0, to: 72_000, by: 64) where found == .max {
            _ = processor.render([Array(input[first..<first + 64])])
            if processor.reports?[Report.notches] ?? 0 > 0 { found = first }
        }
        // At -70 dB the tone is 25 dB above the noise in its bin.
        let reaction = found - Int(30 / speed * 48_000)
        #expect(reaction < 9600, "\(Double(reaction) / 48) ms")
        let cents =
            1200 * rt_log(Double(processor.reports?[Report.frequency] ?? 1) / hertz) / 0.6931
        #expect(abs(cents) < 20)
    }

    @Test("finds 12 howls at once, and attenuates each by 6 dB and more within 0.4 s")
    func dozen() {
        let frames = 48_000
        let tones = twelve.enumerated().map { index, hertz in
            howl(
                hertz, decibelsPerSecond: 100 + 10 * Double(index), to: -30, frames: frames)
        }
        let input = sum(tones)
        let processor = effect("feedback-guard").processor()
        let output = processor.render([Array(input[..<19_200])])[0]
        #expect(processor.reports?[Report.notches] == 12)
        for hertz in twelve {
            let fall =
                level(input[14_400..<19_200], at: hertz) - level(output[14_400..<19_200], at: hertz)
            #expect(fall > 6, "\(hertz) Hz: \(fall) dB")
        }
    }

    @Test(
        "keeps a loop through a room stable at 8 dB above its limit",
        arguments: [false, true])
    func margin(isMoving: Bool) {
        let room = isMoving ? FeedbackGuardTests.moving : FeedbackGuardTests.still
        func loudest(above: Double, _ processor: Processor?, seconds: Int = 4) -> Double {
            let gain = room.limit + above
            // The direct sound of the loudspeaker has -35 dB at every gain.
            let words = syllables(seconds: seconds, rms: -35 - gain)
            let output = room.run(words, gain: gain, processor)
            return levelDecibels(rms(output[(24_000 * seconds)...]))
        }
        // Without the guard, a loop slightly above the limit howls.
        if !isMoving {
            #expect(loudest(above: -1, nil) < -25)
            #expect(loudest(above: 2, nil) > -10)
        }
        #expect(loudest(above: 8, nil) > -6)
        let guarded = loudest(above: 8, effect("feedback-guard").processor(), seconds: 8)
        #expect(guarded < -20, "\(guarded) dB")
    }

    @Test("changes music by less than 0.5 dB in third-octave bands")
    func music() {
        let input = plucked(seconds: 12)
        let output = effect("feedback-guard").processor().render([input])[0]
        var worst = 0.0
        for band in -10...12 {
            let centre = 1000 * rt_exp2(Double(band) / 3)
            let (before, after) = (bandPower(input, centre), bandPower(output, centre))
            worst = max(worst, abs(levelDecibels(after / before)))
        }
        #expect(worst < 0.5, "\(worst) dB")
    }

    /// Returns the RMS of a third-octave band, through a band-pass of fourth order.
    private func bandPower(_ signal: [Float], _ hertz: Double) -> Double {
        let processor = effect("filter").processor(parameters: [
            "shape": 2, "frequency": Float(hertz), "q": 4.3,
        ])
        let once = processor.render([signal])[0]
        processor.resetState()
        return rms(processor.render([once])[0])
    }

    @Test("releases a notch without a jump")
    func release() {
        let processor = effect("feedback-guard").processor(parameters: ["release": 1])
        let rising = howl(1000, decibelsPerSecond: 150, frames: 16_000)
        let tone = sineWave(1000, amplitude: 0.001, frames: 768_000, sampleRate: 48_000)
        _ = processor.render([rising + FeedbackGuardTests.falling])
        #expect(processor.reports?[Report.notches] == 1)
        let output = processor.render([tone])[0]
        #expect(processor.reports?[Report.notches] == 0)
        let levels = stride(from: 4800, to: 763_200, by: 4800).map {
            levelDecibels(rms(output[$0..<$0 + 4800]))
        }
        // The depth falls by 2 dB per second.
        for (before, after) in zip(levels, levels.dropFirst()) { #expect(after - before < 0.5) }
        #expect(abs(levels[levels.count - 1] - levelDecibels(rms(tone))) < 0.5)
    }

    @Test("puts a notch back at once when its howl returns")
    func restored() {
        let processor = effect("feedback-guard").processor(parameters: ["release": 1])
        let rising = howl(1000, decibelsPerSecond: 150, frames: 16_000)
        let silence = [Float](repeating: 0, count: 264_000)
        _ = processor.render([rising + FeedbackGuardTests.falling])
        let deepest = processor.reports?[Report.reduction] ?? 0
        #expect(deepest >= 6)
        _ = processor.render([silence])
        let released = processor.reports?[Report.reduction] ?? 0
        #expect(released > 0 && released < deepest - 2, "\(released) of \(deepest) dB")
        _ = processor.render([Array(rising[..<9600])])
        #expect(processor.reports?[Report.reduction] == deepest)
        #expect(processor.reports?[Report.notches] == 1)
    }

    @Test("does not click when notches appear and disappear")
    func clicks() {
        let tone = howl(1000, decibelsPerSecond: 150, to: -20, frames: 48_000)
        let rest = howl(437, decibelsPerSecond: 0, from: -20, frames: 48_000)
        let input = sum([tone, rest])
        let output = effect("feedback-guard").processor().render(
            [input], moves: [Move(Index.clear, to: 1, at: 30_000)])[0]
        #expect(largestStep(output) < 1.1 * largestStep(input))
    }

    @Test("removes all notches by `clear`, and keeps them by `hold`")
    func holdAndClear() {
        let rising = howl(1000, decibelsPerSecond: 150, frames: 16_000)
        let silence = [Float](repeating: 0, count: 480_000)
        let processor = effect("feedback-guard").processor(parameters: ["release": 1])
        _ = processor.render([rising + silence], moves: [Move(Index.hold, to: 1, at: 40_000)])
        #expect(processor.reports?[Report.notches] == 1)
        _ = processor.render(
            [Array(silence[..<4800])], moves: [Move(Index.clear, to: 1, at: 0)])
        #expect(processor.reports?[Report.notches] == 0)
    }

    @Test("gives the same bits for every division into blocks while notches move")
    func partition() {
        let input = [
            howl(1000, decibelsPerSecond: 150, frames: 40_000),
            howl(2100, decibelsPerSecond: 250, frames: 40_000),
        ]
        func output(_ partition: Partition) -> [[Float]] {
            effect("feedback-guard").processor(channels: 2).render(input, partition: partition)
        }
        let whole = output(.even(64))
        #expect(whole != input)
        for partition in [.even(1), .even(480), .even(4096), .random(seed: 3)] as [Partition] {
            #expect(output(partition) == whole)
        }
    }

    @Test("finds a howl in one channel, and in opposite channels")
    func channels() {
        let tone = howl(1000, decibelsPerSecond: 150, frames: 24_000)
        let silence = [Float](repeating: 0, count: 24_000)
        for other in [silence, tone.map { -$0 }, tone] {
            for input in [[tone, other], [other, tone]] {
                let processor = effect("feedback-guard").processor(channels: 2)
                _ = processor.render(input)
                #expect(processor.reports?[Report.notches] == 1)
            }
        }
    }
}
