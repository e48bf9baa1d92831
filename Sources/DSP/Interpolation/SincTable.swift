internal import CRealtime
internal import Realtime

/// The table of a sinc interpolator, which owns the memory: a sinc under a Kaiser window at many
/// positions between two frames.
public struct SincTable: ~Copyable {
    private let tapCount: Int
    private let phaseCount: Int
    /// The weights of each phase, one row after the other, up to and including the next whole
    /// frame.
    private let weights: Buffer<Float>

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - tapCount: The number of taps, a multiple of eight.
    ///   - phaseCount: The number of positions between two frames; each doubling reduces the error
    ///     of linear interpolation between them by 12 dB.
    ///   - bandShare: The cutoff of the sinc, as a share of Nyquist.
    ///   - beta: The shape of the Kaiser window: 12 attenuates by 118 dB, and each further 1.1 by
    ///     10 dB more.
    public init(tapCount: Int, phaseCount: Int, bandShare: Double, beta: Double) {
        self.tapCount = tapCount
        self.phaseCount = phaseCount
        // The last row is zero: a fraction of 1 reads it with a weight of 0.
        weights = Buffer(count: (phaseCount + 2) * tapCount, repeating: 0)
        for phase in 0...phaseCount {
            writeRow(phase, bandShare: bandShare, beta: beta)
        }
    }

    /// The interpolator that reads this table; it must not outlive the table.
    public var interpolator: SincInterpolator {
        @_noLocks get {
            SincInterpolator(tapCount: tapCount, phaseCount: phaseCount, table: weights.start)
        }
    }

    /// Writes the weights of a phase, with a sum of 1.
    private func writeRow(_ phase: Int, bandShare: Double, beta: Double) {
        let row = weights.start + phase * tapCount
        let fraction = Double(phase) / Double(phaseCount)
        let values = (0..<tapCount).map { tap in
            value(Double(tap - (tapCount / 2 - 1)) - fraction, bandShare: bandShare, beta: beta)
        }
        let sum = values.reduce(0, +)
        for tap in 0..<tapCount { row[tap] = Float(values[tap] / sum) }
    }

    /// Returns the windowed sinc at a distance in frames.
    private func value(_ distance: Double, bandShare: Double, beta: Double) -> Double {
        let x = distance / (Double(tapCount) / 2)
        let angle = Double.pi * bandShare * distance
        let sinc = abs(angle) < 1e-9 ? 1 : rt_sin(angle) / angle
        return sinc * bessel(beta * rt_sqrt(max(0, 1 - x * x)))
    }

    /// Returns the modified Bessel function of order 0.
    ///
    /// I₀(z) = Σ (z²/4)ᵏ / k!²
    private func bessel(_ z: Double) -> Double {
        var (term, sum) = (1.0, 1.0)
        for k in 1..<60 where term > 1e-18 * sum {
            term *= z * z / 4 / Double(k * k)
            sum += term
        }
        return sum
    }
}
