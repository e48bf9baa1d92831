import Processing
import Realtime
import Testing
import TestSignals

/// The indices of the parameters.
private enum Index { static let hold: Int32 = 0, add: Int32 = 1 }

private let chord = [110.0, 155.56, 261.63]

/// Returns a chord of tones with three harmonics each.
private func sound(_ frames: Int, _ notes: [Double] = chord, sampleRate: Double = 48_000)
    -> [Float]
{
    var sum = [Float](repeating: 0, count: frames)
    for note in notes {
        for harmonic in 1...3 {
            let tone = sineWave(
                note * Double(harmonic), amplitude: 0.1 / Double(harmonic), frames: frames,
                sampleRate: sampleRate)
            for frame in sum.indices { sum[frame] += tone[frame] }
        }
    }
    return sum
}

/// Returns the level of a sine in a signal, in dB.
private func level(_ signal: [Float], at hertz: Double) -> Double {
    let sum = spectrumAmplitude(signal, at: hertz, sampleRate: 48_000)
    return levelDecibels(2 * sum / Double(signal.count))
}

/// Renders the pad alone: the input ends when `hold` is switched on.
private func pad(
    _ input: [Float], frames: Int, _ parameters: [String: Float] = [:], moves: [Move] = [],
    sampleRate: Double = 48_000
) -> [Float] {
    let processor = effect("freeze").processor(
        sampleRate: sampleRate, parameters: parameters.merging(["dry": -120]) { $1 })
    let silence = [Float](repeating: 0, count: frames)
    return processor.render(
        [input + silence], moves: [Move(Index.hold, to: 1, at: input.count)] + moves)[0]
}

@Suite("Freeze")
struct FreezeTests {
    @Test("continues to the bit in a new processor from notes of its state and its chords")
    func notedChords() throws {
        let input = [sound(48_000), whiteNoise(amplitude: 0.1, frames: 48_000)]
        let rest = [whiteNoise(frames: 24_000, seed: 2), whiteNoise(frames: 24_000, seed: 3)]
        let first = effect("freeze").processor(channels: 2, parameters: ["shimmer": 0.4])
        let second = effect("freeze").processor(
            channels: 2, parameters: ["shimmer": 0.4, "hold": 1])
        first.beginNotingState()
        second.beginNotingState()
        let notes = [try #require(first.stateNotes), try #require(second.stateNotes)]
        _ = first.render(
            input,
            moves: [Move(Index.hold, to: 1, at: 20_000), Move(Index.add, to: 1, at: 30_011)])
        // One call that notes the state, and repeats it in the second processor.
        notes[0].pointee.ask()
        let part = rest.map { Array($0.prefix(64)) }
        _ = first.render(part)
        #expect(notes[0].pointee.isNoted)
        let words = UnsafeBufferPointer(
            start: notes[0].pointee.start, count: notes[0].pointee.count)
        notes[1].pointee.give(Array(words), frame: notes[0].pointee.frame)
        _ = second.render(part)
        var parts = 0
        while let part = first.kernel.nextSoundPart() {
            second.kernel.restoreSound(part)
            parts += 1
        }
        // Two chords of two channels.
        #expect(parts == 14)
        let following = rest.map { Array($0.dropFirst(64)) }
        let (output, repeated) = (first.render(following), second.render(following))
        #expect(output.map { $0.dropFirst(2000) } == repeated.map { $0.dropFirst(2000) })
        #expect(output[0].suffix(1000) != following[0].suffix(1000))
    }

    @Test("passes the input unchanged while nothing is held")
    func transparent() {
        let signals = [whiteNoise(frames: 9000), whiteNoise(frames: 9000, seed: 2)]
        #expect(effect("freeze").processor(channels: 2).render(signals) == signals)
    }

    @Test(
        "holds a chord within 20 ms of the press, within 1 dB of its level",
        arguments: [44_100.0, 48_000, 96_000])
    func holds(_ sampleRate: Double) {
        let second = Int(sampleRate)
        let input = sound(second, sampleRate: sampleRate)
        let output = pad(
            input, frames: 2 * second, ["attack": 0], sampleRate: sampleRate)
        let level = levelDecibels(rms(input))
        let after = second + second / 50
        #expect(abs(levelDecibels(rms(output[after..<after + second / 10])) - level) < 1)
        #expect(abs(levelDecibels(rms(output[(5 * second / 2)...])) - level) < 1)
        #expect(output[..<second].allSatisfy { $0 == 0 })
    }

    @Test("keeps each partial at its frequency and level, and nothing in between")
    func purity() {
        let input = sound(48_000)
        let output = pad(input, frames: 192_000)
        let wanted = chord.flatMap { note in (1...3).map { note * Double($0) } }
        // In 0.2 s, an error of 0.05 Hz would exceed the limit.
        let partials = Partials(of: output[96_000..<105_600], at: wanted, sampleRate: 48_000)
        let energy = partials.amplitudes.reduce(0) { $0 + $1 * $1 / 2 }
        #expect(levelDecibels(energy.squareRoot()) - levelDecibels(partials.residual) > 22)
        for (index, hertz) in wanted.enumerated() {
            #expect(abs(partials.decibels(index) - level(input, at: hertz)) < 3, "\(hertz) Hz")
        }
    }

    @Test("does not flutter")
    func flutter() {
        // Two tones beat in the input, but not in the pad.
        let output = pad(sound(48_000, [220, 440.5]), frames: 192_000)
        let levels = stride(from: 72_000, to: 230_000, by: 4800).map {
            levelDecibels(rms(output[$0..<$0 + 4800]))
        }
        #expect((levels.max() ?? 0) - (levels.min() ?? 0) < 1)
    }

    @Test("begins and ends without a click")
    func clicks() {
        let input = sound(48_000)
        let output = pad(
            input, frames: 96_000, ["release": 0.5, "attack": 0],
            moves: [Move(Index.hold, to: 0, at: 96_000)])
        #expect(largestStep(output) < 1.5 * largestStep(input))
    }

    @Test("fades away in the time of `release`, and ends")
    func release() {
        let output = pad(
            sound(48_000), frames: 144_000, ["release": 1],
            moves: [Move(Index.hold, to: 0, at: 72_000)])
        let before = levelDecibels(rms(output[67_000..<72_000]))
        #expect(abs(levelDecibels(rms(output[94_000..<98_000])) - before + 30) < 2)
        #expect(output[165_000...].allSatisfy { $0 == 0 })
    }

    @Test("falls in the time of `decay` while it is held")
    func decay() {
        let output = pad(sound(48_000), frames: 144_000, ["decay": 4])
        let first = levelDecibels(rms(output[58_000..<62_000]))
        #expect(abs(levelDecibels(rms(output[154_000..<158_000])) - first + 30) < 1.5)
    }

    @Test("adds chords while it holds")
    func layers() {
        let processor = effect("freeze").processor(parameters: ["dry": -120])
        let input = sound(48_000, [220]) + sound(48_000, [330])
        let silence = [Float](repeating: 0, count: 48_000)
        let output = processor.render(
            [input + silence],
            moves: [
                Move(Index.add, to: 1, at: 20_000), Move(Index.hold, to: 1, at: 47_990),
                Move(Index.add, to: 1, at: 95_990),
            ])[0]
        let end = Array(output[110_000...])
        for hertz in [220.0, 330] {
            #expect(abs(level(end, at: hertz) + 20) < 1, "\(hertz) Hz")
        }
        #expect(processor.reports?[0] == 2)
        // Without `hold`, `add` does nothing.
        #expect(output[..<47_990].allSatisfy { $0 == 0 })
    }

    @Test("adds the octave above slowly by `shimmer`")
    func shimmer() {
        let output = pad(sound(48_000, [220]), frames: 144_000, ["shimmer": 0.5])
        // The octave of the third harmonic floats a little above 1320 Hz.
        func octave(_ first: Int) -> Double {
            level(Array(output[first..<first + 24_000]), at: 3 * 220 * 2.0009)
        }
        #expect(octave(50_000) < octave(160_000) - 6)
        #expect(abs(octave(160_000) - levelDecibels(0.1 / 3 / 2)) < 1.5)
    }

    @Test("keeps the stereo image")
    func image() {
        let left = sound(48_000)
        let silence = [Float](repeating: 0, count: 48_000)
        let processor = effect("freeze").processor(channels: 2, parameters: ["dry": -120])
        let outputs = processor.render(
            [left + silence, left.map { -0.25 * $0 } + silence],
            moves: [Move(Index.hold, to: 1, at: 48_000)])
        let scaled = outputs[0].map { -0.25 * $0 }
        let apart = zip(scaled, outputs[1]).map { $0 - $1 }
        #expect(rms(apart) < 1e-4 * rms(outputs[1]))
    }
}
