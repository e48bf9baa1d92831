import DSP
import Glibc
import Testing
import TestSignals

private let rates = [0.25, 0.5, 0.8, 1.25, 1.7, 2.0, 3.0]
private let sampleRates = [44_100.0, 48_000, 96_000]

/// Returns a signal without its first and last fifth, which are affected by the ends.
private func steady(_ signal: [Float]) -> ArraySlice<Float> {
    signal[(signal.count / 5)..<(signal.count * 4 / 5)]
}

@Suite("Stretch engine")
struct StretchTests {
    @Test("keeps a sine's pitch, level and purity", arguments: rates, sampleRates)
    func sine(_ rate: Double, _ sampleRate: Double) {
        for hertz in [83.3, 440, 1234.5, 9000] {
            let frames = Int(1.6 * sampleRate * max(1, rate))
            let input = sineWave(hertz, frames: frames, sampleRate: sampleRate)
            let output = stretched([input], rate: rate, sampleRate: sampleRate)[0]
            // A pitch error of a tenth of a cent over this length would leave -30 dB next to the
            // partial.
            let partials = Partials(of: steady(output), at: [hertz], sampleRate: sampleRate)
            #expect(abs(partials.decibels(0) - levelDecibels(0.5)) < 0.01, "\(hertz) Hz")
            #expect(levelDecibels(partials.residual) < -90, "\(hertz) Hz")
        }
    }

    @Test("keeps a chord's partials separate", arguments: [0.5, 0.8, 1.25, 2.0])
    func chord(_ rate: Double) {
        let notes = [196.0, 246.9, 293.7, 370]
        var input = [Float](repeating: 0, count: 120_000)
        for note in notes {
            let wave = sineWave(note, amplitude: 0.2, frames: input.count, sampleRate: 48_000)
            for frame in input.indices { input[frame] += wave[frame] }
        }
        let output = stretched([input], rate: rate)[0]
        let partials = Partials(of: steady(output), at: notes, sampleRate: 48_000)
        for index in notes.indices {
            #expect(abs(partials.decibels(index) - levelDecibels(0.2)) < 0.1)
        }
        #expect(levelDecibels(partials.residual) < -55)
    }

    @Test(
        "separates partials in neighbouring bins, in each channel",
        arguments: [0.5, 0.8, 1.25, 2.0])
    func closePartials(_ rate: Double) {
        // 15 Hz is 2.6 bins: inside the window's main lobe.
        let (notes, levels) = ([440.0, 455, 700], [[0.2, 0.2, 0.2], [0.1, 0.2, 0.15]])
        let inputs = levels.map { amplitudes in
            var input = [Float](repeating: 0, count: 200_000)
            for (note, amplitude) in zip(notes, amplitudes) {
                let wave = sineWave(
                    note, amplitude: amplitude, frames: input.count, sampleRate: 48_000)
                for frame in input.indices { input[frame] += wave[frame] }
            }
            return input
        }
        for (output, amplitudes) in zip(stretched(inputs, rate: rate), levels) {
            let partials = Partials(of: steady(output), at: notes, sampleRate: 48_000)
            for index in notes.indices {
                #expect(abs(partials.decibels(index) - levelDecibels(amplitudes[index])) < 0.6)
            }
            #expect(levelDecibels(partials.residual) < -33)
        }
    }

    @Test(
        "keeps clicks whole, on the right frame and without pre-echo",
        arguments: rates)
    func clicks(_ rate: Double) {
        let places = (0..<8).map { 20_000 + 7919 * $0 }
        var input = [Float](repeating: 0, count: 110_000)
        for place in places { input[place] = 0.9 }
        let output = stretched([input], rate: rate)[0]
        for place in places {
            let wanted = Int((Double(place) / rate).rounded())
            let near = Array(output[(wanted - 400)..<(wanted + 400)])
            let peak = near.indices.max { abs(near[$0]) < abs(near[$1]) } ?? 0
            #expect(abs(peak - 400) <= 1)
            #expect(abs(near[peak] - 0.9) < 0.01)
            let rest = near[..<(peak - 1)] + near[(peak + 2)...]
            #expect(levelDecibels(rms(rest)) < -60)
        }
    }

    @Test(
        "has the right length: the end of a tone is where it belongs",
        arguments: rates.filter { $0 >= 0.5 })
    func duration(_ rate: Double) {
        let tone = sineWave(700, frames: 72_000, sampleRate: 48_000)
        let output = stretched([tone + [Float](repeating: 0, count: 24_000)], rate: rate)[0]
        let end = output.lastIndex { abs($0) > 0.25 } ?? 0
        #expect(abs(Double(end) - 72_000 / rate) < 480)
    }

    @Test("returns the input unchanged at rate 1", arguments: sampleRates)
    func unity(_ sampleRate: Double) {
        let noise = whiteNoise(frames: 60_000)
        let output = stretched([noise], rate: 1, sampleRate: sampleRate)[0]
        let rest = zip(noise, output).map { $0 - $1 }
        #expect(levelDecibels(rms(rest) / rms(noise)) < -120)
    }

    @Test("keeps channels together: the same signal in both stays identical")
    func image() {
        var noise = whiteNoise(frames: 60_000)
        for frame in stride(from: 9000, to: 60_000, by: 9000) { noise[frame] = 5 }
        let quiet = noise.map { $0 / 4 }
        let outputs = stretched([noise, quiet, noise], rate: 0.7)
        #expect(outputs[0] == outputs[2])
        // A quarter is exact in binary, so the second channel is always exactly a quarter of the
        // first.
        #expect(outputs[1] == outputs[0].map { $0 / 4 })
    }

    @Test("keeps the level of noise", arguments: [(0.5, 1.5), (0.8, 1.0), (1.25, 1.5), (2.0, 2.5)])
    func level(_ example: (rate: Double, decibels: Double)) {
        let noise = whiteNoise(frames: 150_000)
        let output = stretched([noise], rate: example.rate)[0]
        let change = levelDecibels(rms(steady(output)) / rms(noise))
        #expect(abs(change) < example.decibels)
    }

    @Test("transposes by the interval and keeps the length", arguments: [-12.0, -5, 3, 7, 12])
    func transposition(_ semitones: Double) {
        let input = sineWave(1000, frames: 96_000, sampleRate: 48_000)
        let output = transposed([input], rate: 1, semitones: semitones)[0]
        #expect(abs(output.count - input.count) < 4)
        let wanted = 1000 * exp2(semitones / 12)
        let partials = Partials(of: steady(output), at: [wanted], sampleRate: 48_000)
        #expect(abs(partials.decibels(0) - levelDecibels(0.5)) < 0.01)
        #expect(levelDecibels(partials.residual) < -90)
    }
}

@Suite("Capture ring")
struct CaptureRingTests {
    @Test("returns the frames that it contains by number, and silence for all others")
    func reading() {
        var ring = CaptureRing(channelCount: 2, capacityFrames: 100)
        for start in stride(from: 0, to: 250, by: 25) {
            let left = (start..<start + 25).map { Float($0 + 1) }
            ring.write(left + left.map { -$0 }, stride: 25, count: 25)
        }
        #expect(ring.writtenFrames == 250 && ring.firstFrame == 150)
        var frames = [Float](repeating: 9, count: 140)
        ring.read(1, from: 130, count: 140, into: &frames)
        for (index, frame) in (130..<270).enumerated() {
            #expect(frames[index] == ((150..<250).contains(frame) ? -Float(frame + 1) : 0))
        }
    }

    @Test("returns the same frames by other numbers", arguments: [0, 7, 250, 1 << 40])
    func renumbering(_ frames: Int) {
        var ring = CaptureRing(channelCount: 1, capacityFrames: 100)
        let sound = whiteNoise(frames: 300)
        ring.write(Array(sound[..<90]), stride: 90, count: 90)
        ring.write(Array(sound[90..<170]), stride: 80, count: 80)
        ring.renumber(writtenFrames: frames)
        ring.write(Array(sound[170..<200]), stride: 30, count: 30)
        #expect(ring.writtenFrames == frames + 30)
        var read = [Float](repeating: 9, count: 100)
        ring.read(0, from: frames - 70, count: 100, into: &read)
        // Frames before 0 do not exist.
        for index in 0..<100 where frames - 70 + index >= 0 {
            #expect(read[index] == sound[100 + index])
        }
    }

    @Test("replaces the frames that another ring returns in pieces, also by other numbers")
    func pieces() {
        let sound = whiteNoise(frames: 270)
        var ring = CaptureRing(channelCount: 1, capacityFrames: 100)
        var other = CaptureRing(channelCount: 1, capacityFrames: 100)
        for start in stride(from: 0, to: 270, by: 90) {
            ring.write(Array(sound[start..<start + 90]), stride: 90, count: 90)
        }
        other.write(whiteNoise(frames: 35, seed: 2), stride: 35, count: 35)
        other.renumber(writtenFrames: 270)
        var (frame, pieces) = (ring.firstFrame, 0)
        while frame < ring.writtenFrames {
            let piece = ring.piece(0, from: frame, count: min(40, ring.writtenFrames - frame))
            for index in 0..<piece.count {
                other.replace(0, frame: frame + index, by: piece.start[index])
            }
            frame += piece.count
            pieces += 1
        }
        // 30 frames up to the end of the memory, then 40, then the last 30.
        #expect(pieces == 3)
        // The ring does not have these frames.
        for frame in [-1, 169, 270, 1 << 50] { other.replace(0, frame: frame, by: 9) }
        var read = [Float](repeating: 9, count: 100)
        other.read(0, from: 170, count: 100, into: &read)
        #expect(read == Array(sound[170...]))
    }

    @Test("is silent after it is cleared")
    func clear() {
        var ring = CaptureRing(channelCount: 1, capacityFrames: 64)
        ring.write(whiteNoise(frames: 64), stride: 64, count: 64)
        ring.clear()
        var frames = [Float](repeating: 9, count: 64)
        ring.read(0, from: 0, count: 64, into: &frames)
        #expect(frames.allSatisfy { $0 == 0 })
    }
}
