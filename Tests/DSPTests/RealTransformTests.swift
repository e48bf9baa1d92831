import DSP
import Glibc
import Testing
import TestSignals

/// A spectrum as two arrays.
private struct Spectrum {
    var real: [Float]
    var imaginary: [Float]
}

private func forward(_ signal: [Float]) -> Spectrum {
    let transform = RealTransform(size: signal.count)
    var spectrum = Spectrum(
        real: Array(repeating: .nan, count: transform.bins),
        imaginary: Array(repeating: .nan, count: transform.bins))
    transform.forward(signal, real: &spectrum.real, imaginary: &spectrum.imaginary)
    return spectrum
}

private func inverse(_ spectrum: Spectrum) -> [Float] {
    let size = 2 * (spectrum.real.count - 1)
    let transform = RealTransform(size: size)
    var output = [Float](repeating: .nan, count: size)
    transform.inverse(real: spectrum.real, imaginary: spectrum.imaginary, output: &output)
    return output
}

/// Returns one bin by the definition, in double precision.
private func term(_ signal: [Float], _ bin: Int) -> (real: Double, imaginary: Double) {
    var (real, imaginary) = (0.0, 0.0)
    for (frame, value) in signal.enumerated() {
        let angle = -2 * Double.pi * Double(bin * frame % signal.count) / Double(signal.count)
        real += Double(value) * cos(angle)
        imaginary += Double(value) * sin(angle)
    }
    return (real, imaginary)
}

private let sizes = (6...16).map { 1 << $0 }

@Suite("Real transform")
struct RealTransformTests {
    @Test("matches the definition of the spectrum with errors below -132 dB", arguments: sizes)
    func definition(_ size: Int) {
        let signal = whiteNoise(frames: size, seed: 5)
        let spectrum = forward(signal)
        let step = max(1, size / 300)
        var (errors, power) = (0.0, 0.0)
        for bin in [size / 2 - 1, size / 2] + Array(stride(from: 0, through: size / 2, by: step)) {
            let wanted = term(signal, bin)
            let (real, imaginary) = (
                Double(spectrum.real[bin]) - wanted.real,
                Double(spectrum.imaginary[bin]) - wanted.imaginary
            )
            errors += real * real + imaginary * imaginary
            power += wanted.real * wanted.real + wanted.imaginary * wanted.imaginary
        }
        #expect(10 * log10(errors / power) < -132)
    }

    @Test("returns the signal multiplied by the size after the inverse", arguments: sizes)
    func backAgain(_ size: Int) {
        let signal = whiteNoise(frames: size, seed: 6)
        let back = inverse(forward(signal))
        #expect(zip(signal, back).allSatisfy { abs($0 - $1 / Float(size)) < 1e-6 })
    }

    @Test("computes only both ends with the same bits as the whole", arguments: sizes)
    func bothEnds(_ size: Int) {
        let spectrum = forward(whiteNoise(frames: size, seed: 8))
        let transform = RealTransform(size: size)
        var ends = [Float](repeating: 7, count: size)
        transform.inverseEnds(
            real: spectrum.real, imaginary: spectrum.imaginary, output: &ends)
        let whole = inverse(spectrum)
        #expect(ends.prefix(size / 8) == whole.prefix(size / 8))
        #expect(ends.suffix(size / 8) == whole.suffix(size / 8))
    }

    @Test("has a flat spectrum for an impulse", arguments: sizes, [0, 1, 37, 63])
    func impulse(_ size: Int, _ place: Int) {
        var signal = [Float](repeating: 0, count: size)
        signal[place] = 1
        let spectrum = forward(signal)
        for bin in spectrum.real.indices {
            let angle = -2 * Double.pi * Double(bin * place % size) / Double(size)
            #expect(abs(Double(spectrum.real[bin]) - cos(angle)) < 1e-6)
            #expect(abs(Double(spectrum.imaginary[bin]) - sin(angle)) < 1e-6)
        }
    }

    @Test("has no imaginary part at 0 Hz and at Nyquist, and ignores one in the inverse")
    func ends() {
        var spectrum = forward(whiteNoise(frames: 256, seed: 7))
        #expect(spectrum.imaginary[0] == 0 && spectrum.imaginary[128] == 0)
        let plain = inverse(spectrum)
        spectrum.imaginary[0] = 9
        spectrum.imaginary[128] = -9
        #expect(inverse(spectrum) == plain)
    }

    @Test("transforms silence into exact silence")
    func silence() {
        let spectrum = forward([Float](repeating: 0, count: 1024))
        #expect((spectrum.real + spectrum.imaginary + inverse(spectrum)).allSatisfy { $0 == 0 })
    }
}
