import DSP
import Glibc
import Testing
import TestSignals

/// Returns the resampled signal of one channel, from a single block of input.
private func resampled(
    _ input: [Float], from: Double, to: Double, frames: Int, atOutputFrame start: Int = 0
) -> [Float] {
    var resampler = Resampler(from: from, to: to, channelCount: 1)
    let first = resampler.reset(toOutputFrame: start)
    return read(frames, from: &resampler, input[min(first, input.count)...])
}

/// Reads frames of one channel, with as much input as the resampler accepts at a time and silence
/// at the end.
private func read(
    _ frames: Int, from resampler: inout Resampler, _ input: ArraySlice<Float>
) -> [Float] {
    var output = [Float](repeating: .nan, count: frames)
    var (made, rest) = (0, input)
    while made < frames {
        let taken = rest.withUnsafeBufferPointer { samples in
            samples.isEmpty
                ? resampler.write(512, from: nil)
                : resampler.write(samples.count, from: samples.baseAddress)
        }
        rest = rest.dropFirst(taken)
        made += output.withUnsafeMutableBufferPointer { place in
            place.baseAddress.map { resampler.read(frames - made, into: $0 + made) } ?? frames
        }
    }
    return output
}

@Suite("Resampler")
struct ResamplerTests {
    /// Returns the gain of a sine through a resampler, and the level of everything else, both in
    /// dB.
    private func measured(_ hertz: Double, from: Double, to: Double) -> (Double, Double) {
        let frames = 30_000
        let input = sineWave(
            hertz, frames: Int(Double(frames) * from / to) + 2000, sampleRate: from)
        let output = resampled(input, from: from, to: to, frames: frames).dropFirst(4000)
        let partials = Partials(of: output, at: [hertz], sampleRate: to)
        let noise = partials.residual / (partials.amplitudes[0] / 2.0.squareRoot())
        return (partials.decibels(0) - levelDecibels(0.5), levelDecibels(noise))
    }

    /// Rates, and tones up to 17/22 of the lower rate's band.
    static let tones: [(Double, Double, [Double])] = [
        (44_100, 48_000, [997, 6000, 12_000, 17_000]), (22_050, 48_000, [997, 3000, 6000, 8500]),
        (3000, 48_000, [97, 500, 1100]), (96_000, 48_000, [997, 6000, 12_000, 17_000]),
        (48_000, 44_100, [997, 12_000, 17_000]), (192_000, 44_100, [997, 17_000]),
        (44_100, 192_000, [997, 17_000]), (44_101, 48_000, [997, 12_000, 17_000]),
        (48_000, 44_099.5, [997, 17_000]), (192_000, 11_025, [97, 4250]),
    ]

    @Test("a tone in the band keeps its level, 125 dB above everything else", arguments: tones)
    func purity(from: Double, to: Double, tones: [Double]) {
        for hertz in tones {
            let (level, noise) = measured(hertz, from: from, to: to)
            #expect(abs(level) < 0.001, "\(hertz) Hz")
            #expect(noise < -125, "\(hertz) Hz")
        }
    }

    @Test(
        "20 kHz is not attenuated",
        arguments: [(44_100.0, 48_000.0), (96_000, 48_000), (48_000, 44_100), (44_100, 96_000)])
    func edge(from: Double, to: Double) {
        #expect(abs(measured(20_000, from: from, to: to).0) < 0.1)
    }

    @Test(
        "aliases are attenuated by 100 dB",
        arguments: [
            (48_000.0, 44_100.0, [22_500.0, 22_800, 23_500]),
            (96_000, 48_000, [26_000, 28_000, 35_000, 45_000]),
            (192_000, 8000, [4200, 5000, 20_000, 90_000]), (192_000, 750, [400, 1000, 50_000]),
        ])
    func aliases(from: Double, to: Double, tones: [Double]) {
        for hertz in tones {
            let input = sineWave(hertz, frames: 200_000, sampleRate: from)
            let frames = Int(200_000 * to / from) * 3 / 4
            let output = resampled(input, from: from, to: to, frames: frames)
            let level = rms(output[(frames / 4)...]) / (0.5 / 2.0.squareRoot())
            #expect(levelDecibels(level) < -100, "\(hertz) Hz")
        }
    }

    @Test(
        "an impulse keeps its time",
        arguments: [
            (44_100.0, 48_000.0), (48_000, 44_100), (3000, 48_000), (96_000, 44_100),
            (8000, 44_101),
            (750, 192_000), (192_000, 750),
        ])
    func position(from: Double, to: Double) {
        let (place, frames) = (120_000, Int((240_000 * to / from).rounded()))
        var input = [Float](repeating: 0, count: min(240_000, 2 * place))
        input[place] = 1
        let expected = Double(place) * to / from
        let start = max(0, Int(expected) - 4000)
        let output = resampled(
            input, from: from, to: to, frames: min(frames - start, 8000), atOutputFrame: start)
        let error = abs(energyCentre(output) + Double(start) - expected)
        #expect(error * min(1, from / to) < 0.001)
    }

    @Test("a constant stays constant, up and down by 256", arguments: [1.0 / 256, 0.9, 1.5, 256])
    func constant(ratio: Double) {
        let frames = 300_000
        let input = [Float](repeating: 0.5, count: frames)
        let output = resampled(
            input, from: 1024, to: 1024 * ratio, frames: 200,
            atOutputFrame: Int(Double(frames / 2) * ratio))
        #expect(output.allSatisfy { abs($0 - 0.5) < 1e-5 })
    }

    @Test(
        "the output does not depend on block sizes", arguments: [1, 31, 64, 4096],
        [(44_100.0, 48_000.0), (96_000, 44_100), (44_101, 48_000)])
    func partition(frames: Int, rates: (Double, Double)) {
        let noise = whiteNoise(frames: 12_000)
        let whole = resampled(noise, from: rates.0, to: rates.1, frames: 5000)
        var resampler = Resampler(from: rates.0, to: rates.1, channelCount: 1)
        var (output, rest) = ([Float](), noise[...])
        var piece = [Float](repeating: 0, count: frames)
        while output.count < 5000 {
            let taken = rest.prefix(frames).withUnsafeBufferPointer {
                resampler.write($0.count, from: $0.baseAddress)
            }
            rest = rest.dropFirst(taken)
            let made = piece.withUnsafeMutableBufferPointer { place in
                place.baseAddress.map { resampler.read(frames, into: $0) } ?? 0
            }
            output += piece[..<made]
        }
        #expect(Array(output.prefix(5000)) == whole)
    }

    @Test(
        "a resampler that starts anywhere gives exactly that part of the whole",
        arguments: [(44_100.0, 48_000.0), (96_000, 44_100), (44_101, 48_000), (48_000, 44_099.5)])
    func anywhere(from: Double, to: Double) {
        let noise = whiteNoise(frames: 40_000)
        let whole = resampled(noise, from: from, to: to, frames: 10_000)
        for start in [1, 47, 100, 8000, 9999] {
            let part = resampled(
                noise, from: from, to: to, frames: 10_000 - start, atOutputFrame: start)
            #expect(part == Array(whole[start...]), "\(start)")
        }
    }

    @Test("channels are independent")
    func channels() {
        let tone = sineWave(500, frames: 4000, sampleRate: 44_100)
        var resampler = Resampler(from: 44_100, to: 48_000, channelCount: 3)
        let input = tone.flatMap { [0, $0, 0] as [Float] }
        var output = [Float](repeating: .nan, count: 3 * 1000)
        input.withUnsafeBufferPointer { _ = resampler.write(2000, from: $0.baseAddress) }
        let made = output.withUnsafeMutableBufferPointer { place in
            place.baseAddress.map { resampler.read(1000, into: $0) }
        }
        #expect(made == 1000)
        let alone = resampled(tone, from: 44_100, to: 48_000, frames: 1000)
        for frame in 0..<1000 {
            #expect(Array(output[(3 * frame)..<(3 * frame + 3)]) == [0, alone[frame], 0])
        }
    }

    @Test("a reset resampler is equal to a new one")
    func reset() {
        let noise = whiteNoise(frames: 5000)
        var resampler = Resampler(from: 44_100, to: 48_000, channelCount: 1)
        let first = read(3000, from: &resampler, noise[...])
        resampler.reset()
        #expect(read(3000, from: &resampler, noise[...]) == first)
    }

    @Test("with a changing step, a sine is read where reported, 120 dB above everything else")
    func movingStep() {
        let input = sineWave(997, frames: 60_000, sampleRate: 48_000)
        var resampler = Resampler(highestStep: 2, channelCount: 1)
        var (output, expected, place) = ([Float](), [Float](), 0.0)
        var rest = input[...]
        for block in 0..<400 {
            let step = 1 + 0.9 * sin(Double(block) / 40)
            resampler.move(toStep: step)
            let taken = rest.withUnsafeBufferPointer {
                resampler.write($0.count, from: $0.baseAddress)
            }
            rest = rest.dropFirst(taken)
            var piece = [Float](repeating: .nan, count: 64)
            let made = piece.withUnsafeMutableBufferPointer { samples in
                samples.baseAddress.map { resampler.read(64, into: $0) }
            }
            #expect(made == 64)
            output += piece
            for frame in 0..<64 {
                let time = (place + Double(frame) * step) / 48_000
                expected.append(Float(0.5 * sin(2 * .pi * 997 * time)))
            }
            place += 64 * step
        }
        let error = zip(output, expected).dropFirst(640).map { abs($0 - $1) }.max() ?? 1
        #expect(levelDecibels(Double(error) / 0.5) < -115)
    }
}
