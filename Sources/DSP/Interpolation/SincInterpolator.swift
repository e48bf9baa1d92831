internal import CRealtime

/// An interpolator that reads a signal between its frames: a sinc under a Kaiser window, tabulated
/// at many positions and interpolated between them.
///
/// The interpolator does not free its memory automatically: its creator calls `deallocate`.
public struct SincInterpolator: BitwiseCopyable {
    /// The number of frames that contribute to a value, half on each side.
    public let tapCount: Int
    private let phaseCount: Int
    // SAFETY: the buffer is allocated in `init` and freed only in `deallocate`, which the owner
    // calls last.
    /// The weights of each phase, one row after the other, up to and including the next whole
    /// frame.
    private let table: UnsafeMutablePointer<Float>

    /// Creates an interpolator and its table.
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
        table = zeros((phaseCount + 2) * tapCount)
        for phase in 0...phaseCount {
            writeRow(phase, bandShare: bandShare, beta: beta)
        }
    }

    /// Frees its memory.
    public func deallocate() { table.deallocate() }

    /// The number of frames needed before the frame at which a value is read.
    public var framesBefore: Int { @_noLocks get { tapCount / 2 - 1 } }
    /// The number of frames needed after the frame at which a value is read.
    public var framesAfter: Int { @_noLocks get { tapCount / 2 } }

    /// Writes the weights of a phase, with a sum of 1.
    private func writeRow(_ phase: Int, bandShare: Double, beta: Double) {
        let row = table + phase * tapCount
        let fraction = Double(phase) / Double(phaseCount)
        let weights = (0..<tapCount).map { tap in
            weight(Double(tap - framesBefore) - fraction, bandShare: bandShare, beta: beta)
        }
        let sum = weights.reduce(0, +)
        for tap in 0..<tapCount { row[tap] = Float(weights[tap] / sum) }
    }

    private func weight(_ distance: Double, bandShare: Double, beta: Double) -> Double {
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

    /// Returns the value at a tabulated position: `phase` of `phaseCount` parts of a frame after a
    /// frame.
    ///
    /// `tapCount` must be a multiple of sixteen.
    @_noLocks @inline(__always)
    public func value(_ frame: UnsafePointer<Float>, phase: Int) -> Float {
        rt_sum_of_products(frame - framesBefore, table + phase * tapCount, Int64(tapCount))
    }

    /// Returns the value `fraction` of a frame after a frame; `fraction` is from 0 to 1.
    @_noLocks @inline(__always)
    public func value(_ frame: UnsafePointer<Float>, fraction: Double) -> Float {
        let position = fraction * Double(phaseCount)
        let phase = Int(position)
        let row = table + phase * tapCount
        let sums = rt_two_sums(
            frame - framesBefore, row, row + tapCount, Int64(tapCount))
        return sums.first + (sums.second - sums.first) * Float(position - Double(phase))
    }
}
