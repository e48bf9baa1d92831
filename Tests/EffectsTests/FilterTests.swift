import Glibc
import Processing
import Testing
import TestSignals

private let rates = [44_100.0, 48_000, 96_000]
private let shapes = [
    "highpass", "lowpass", "bandpass", "notch", "peak", "lowshelf", "highshelf",
]

/// A filter and its expected response.
private struct FilterCase: Sendable, CustomTestStringConvertible {
    var shape: String
    var frequency: Double
    var gain = 0.0
    var q = 0.7071
    var order = 2

    var testDescription: String { "\(shape) \(frequency) Hz, \(gain) dB, q \(q), order \(order)" }

    var parameters: [String: Float] {
        [
            "shape": Float(shapes.firstIndex(of: shape) ?? 0), "frequency": Float(frequency),
            "gain": Float(gain), "q": Float(q), "order": Float(order),
        ]
    }

    /// The analytic response at a frequency, in dB: Butterworth's, or the cookbook's.
    func decibels(at hertz: Double, sampleRate: Double) -> Double {
        switch shape {
        case "highpass": butterworth(warped(frequency, sampleRate) / warped(hertz, sampleRate))
        case "lowpass": butterworth(warped(hertz, sampleRate) / warped(frequency, sampleRate))
        default: cookbook(at: hertz, sampleRate: sampleRate)
        }
    }

    /// 1 / √(1 + x^2N), where x is the frequency divided by the corner frequency.
    private func butterworth(_ x: Double) -> Double {
        -10 * log10(1 + pow(x, Double(2 * order)))
    }

    private func warped(_ hertz: Double, _ sampleRate: Double) -> Double {
        tan(.pi * hertz / sampleRate)
    }

    private func cookbook(at hertz: Double, sampleRate: Double) -> Double {
        let w = 2 * Double.pi * frequency / sampleRate
        let (alpha, c) = (sin(w) / (2 * q), cos(w))
        let a = pow(10, gain / 40)
        let (b, d) = cookbookCoefficients(alpha: alpha, c: c, a: a)
        let turn = 2 * Double.pi * hertz / sampleRate
        func magnitude(_ k: [Double]) -> Double {
            hypot(
                k[0] + k[1] * cos(turn) + k[2] * cos(2 * turn),
                k[1] * sin(turn) + k[2] * sin(2 * turn))
        }
        return 20 * log10(magnitude(b) / magnitude(d))
    }

    private func cookbookCoefficients(alpha: Double, c: Double, a: Double) -> ([Double], [Double]) {
        let root = 2 * a.squareRoot() * alpha
        let (up, down) = (a + 1, a - 1)
        let poles = [1 + alpha, -2 * c, 1 - alpha]
        switch shape {
        case "bandpass": return ([alpha, 0, -alpha], poles)
        case "notch": return ([1, -2 * c, 1], poles)
        case "peak":
            return (
                [1 + alpha * a, -2 * c, 1 - alpha * a], [1 + alpha / a, -2 * c, 1 - alpha / a]
            )
        case "lowshelf":
            return (
                [a * (up - down * c + root), 2 * a * (down - up * c), a * (up - down * c - root)],
                [up + down * c + root, -2 * (down + up * c), up + down * c - root]
            )
        default:
            return (
                [a * (up + down * c + root), -2 * a * (down + up * c), a * (up + down * c - root)],
                [up - down * c + root, 2 * (down - up * c), up - down * c - root]
            )
        }
    }

    static let all: [FilterCase] =
        (1...8).flatMap { order in
            [
                FilterCase(shape: "highpass", frequency: 37 * Double(order), order: order),
                FilterCase(shape: "lowpass", frequency: 13_000 / Double(order), order: order),
            ]
        } + [
            FilterCase(shape: "highpass", frequency: 30, order: 8),
            FilterCase(shape: "lowpass", frequency: 19_000, order: 5),
            FilterCase(shape: "bandpass", frequency: 1000, q: 2),
            FilterCase(shape: "bandpass", frequency: 90, q: 40),
            FilterCase(shape: "notch", frequency: 50, q: 10),
            FilterCase(shape: "peak", frequency: 3000, gain: 9, q: 1.5),
            FilterCase(shape: "peak", frequency: 12_000, gain: -18, q: 4),
            FilterCase(shape: "peak", frequency: 15_000, gain: 36, q: 0.1),
            FilterCase(shape: "lowshelf", frequency: 200, gain: 6),
            FilterCase(shape: "lowshelf", frequency: 80, gain: -36, q: 2),
            FilterCase(shape: "highshelf", frequency: 5000, gain: -12),
            FilterCase(shape: "highshelf", frequency: 9000, gain: 24, q: 0.5),
        ]
}

@Suite("Filter")
struct FilterTests {
    @Test(
        "has the analytic response within 0.05 dB up to 0.45 of the rate",
        arguments: FilterCase.all, rates)
    private func response(_ example: FilterCase, _ sampleRate: Double) {
        let processor = effect("filter").processor(
            sampleRate: sampleRate, parameters: example.parameters)
        var impulse = [Float](repeating: 0, count: Int(sampleRate))
        impulse[0] = 1
        let output = processor.render([impulse])[0]
        for step in 0...40 {
            let hertz = 20 * pow(0.45 * sampleRate / 20, Double(step) / 40)
            let wanted = example.decibels(at: hertz, sampleRate: sampleRate)
            guard wanted > -60 else { continue }
            let got = levelDecibels(spectrumAmplitude(output, at: hertz, sampleRate: sampleRate))
            #expect(abs(got - wanted) < 0.05, "at \(hertz) Hz")
        }
    }

    @Test("is -3 dB at the corner of every order", arguments: 1...8)
    func corner(_ order: Int) {
        let example = FilterCase(shape: "lowpass", frequency: 1000, order: order)
        #expect(abs(level(of: 1000, through: example) + 3.01) < 0.01)
    }

    @Test("raises the corner of a high- or low-pass by q", arguments: ["highpass", "lowpass"])
    func resonance(_ shape: String) {
        let example = FilterCase(shape: shape, frequency: 1000, q: 5)
        #expect(abs(level(of: 1000, through: example) - levelDecibels(5)) < 0.01)
    }

    @Test("is stable as a fifth-order high-pass at 200 Hz, and at the lowest corner")
    func stability() {
        for frequency in [200.0, 10] {
            let example = FilterCase(shape: "highpass", frequency: frequency, order: 5)
            let processor = effect("filter").processor(
                sampleRate: 192_000, parameters: example.parameters)
            let noise = whiteNoise(frames: 400_000)
            #expect(rms(processor.render([noise], partition: .even(4096))[0]) <= rms(noise))
        }
    }

    @Test("limits a frequency to below Nyquist", arguments: [8000.0, 11_025])
    func nyquist(_ sampleRate: Double) {
        let example = FilterCase(shape: "lowpass", frequency: 20_000)
        let sine = sineWave(1000, frames: 8000, sampleRate: sampleRate)
        let output = effect("filter").processor(
            sampleRate: sampleRate, parameters: example.parameters
        ).render([sine])[0]
        #expect(abs(levelDecibels(rms(output[4000...]) / rms(sine[4000...]))) < 0.1)
    }

    @Test(
        "changes every parameter without a click",
        arguments: [
            Move(0, to: 1, at: 24_000), Move(1, to: 9000, at: 24_000), Move(1, to: 20, at: 24_000),
            Move(2, to: 12, at: 24_000), Move(3, to: 30, at: 24_000), Move(4, to: 8, at: 24_000),
        ])
    func clicks(_ move: Move) {
        // A click has a wide spectrum: with a sine of 200 Hz, energy above 3 kHz reveals it.
        for shape in 0..<shapes.count {
            let processor = effect("filter").processor(
                parameters: ["shape": Float(shape), "frequency": 400, "gain": -12, "q": 1])
            let sine = sineWave(200, frames: 48_000, sampleRate: 48_000)
            let output = processor.render([sine], moves: [move])[0]
            let watch = effect("filter").processor(parameters: ["frequency": 3000, "order": 8])
            let click = watch.render([output])[0][20_000...].map(abs).max() ?? 1
            #expect(levelDecibels(Double(click)) < -50, "\(shapes[shape])")
        }
    }

    @Test("processes each of many channels as if it were alone")
    func channels() {
        let example = FilterCase(shape: "highpass", frequency: 500, order: 5)
        let signals = (0..<5).map { whiteNoise(frames: 1000, seed: UInt64($0 + 7)) }
        let together = effect("filter").processor(channels: 5, parameters: example.parameters)
            .render(signals)
        for (signal, output) in zip(signals, together) {
            let alone = effect("filter").processor(parameters: example.parameters)
            #expect(alone.render([signal])[0] == output)
        }
    }

    @Test("ends at the last value after overlapping changes")
    func overtaking() {
        let moves = [
            Move(0, to: 3, at: 100), Move(4, to: 8, at: 200), Move(0, to: 1, at: 300),
            Move(1, to: 5000, at: 300), Move(4, to: 3, at: 400), Move(1, to: 2000, at: 500),
        ]
        let sine = sineWave(2000, frames: 24_000, sampleRate: 48_000)
        let output = effect("filter").processor().render([sine], moves: moves)[0]
        #expect(abs(levelDecibels(rms(output[12_000...]) / rms(sine[12_000...])) + 3.01) < 0.01)
    }

    private func level(of hertz: Double, through example: FilterCase) -> Double {
        let sine = sineWave(hertz, frames: 48_000, sampleRate: 48_000)
        let output = effect("filter").processor(parameters: example.parameters).render([sine])[0]
        return levelDecibels(rms(output[24_000...]) / rms(sine[24_000...]))
    }
}
