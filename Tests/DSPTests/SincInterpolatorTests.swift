import DSP
import Glibc
import Testing
import TestSignals

@Suite("Sinc interpolator")
struct SincInterpolatorTests {
    /// Returns the table of the interpolator that reads stretched sound.
    private func table() -> SincTable {
        SincTable(tapCount: 48, phaseCount: 1024, bandShare: 1, beta: 13)
    }

    @Test(
        "reads a sine between its frames at its level without distortion",
        arguments: [997.0, 6000, 12_000, 17_000], [0.5, 0.918_75, 1.0 / 3, 1.37])
    func sine(_ hertz: Double, _ step: Double) {
        let table = table()
        let interpolator = table.interpolator
        defer { withExtendedLifetime(table) {} }
        let input = sineWave(hertz, frames: 40_000, sampleRate: 44_100)
        let output = (0..<20_000).map { index in
            let position = 100 + Double(index) * step
            return input.withUnsafeBufferPointer { samples in
                guard let first = samples.baseAddress else { return Float.nan }
                return interpolator.value(
                    first + Int(position), fraction: position - Double(Int(position)))
            }
        }
        let partials = Partials(of: output, at: [hertz * step], sampleRate: 44_100)
        #expect(abs(partials.decibels(0) - levelDecibels(0.5)) < 0.01)
        let noise = levelDecibels(partials.residual / (0.5 / 2.0.squareRoot()))
        #expect(noise <= -125)
    }

    @Test("keeps a constant for every fraction")
    func constant() {
        let table = table()
        let interpolator = table.interpolator
        defer { withExtendedLifetime(table) {} }
        let ones = [Float](repeating: 1, count: 64)
        for part in 0...997 {
            let value = ones.withUnsafeBufferPointer { samples in
                samples.baseAddress.map {
                    interpolator.value($0 + 30, fraction: Double(part) / 997)
                }
            }
            #expect(abs((value ?? 0) - 1) < 1e-6)
        }
    }
}
