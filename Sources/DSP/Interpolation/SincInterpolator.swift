internal import CRealtime

/// Reads a signal between its frames: a sinc under Kaiser's window, tabulated at many places and interpolated between them.
///
/// It owns its memory without freeing it: whoever made it calls `deallocate`.
public struct SincInterpolator: BitwiseCopyable {
    /// Frames that one reading takes part of, half on either side.
    public let tapCount: Int
    private let phaseCount: Int
    // SAFETY: the place lives from `init` through `deallocate`, which the owner calls at its own end.
    /// The weights for each phase, one after the other, and for the whole frame at the end.
    private let table: UnsafeMutablePointer<Float>

    /// An interpolator with its table.
    ///
    /// - Parameters:
    ///   - tapCount: A multiple of eight.
    ///   - phaseCount: Places between two frames; the error of a line between them falls by 12 dB for each doubling.
    ///   - bandShare: Where the sinc ends, as a share of Nyquist.
    ///   - beta: Kaiser's shape: 12 keeps 118 dB off, each 1.1 more 10 dB more.
    public init(tapCount: Int, phaseCount: Int, bandShare: Double, beta: Double) {
        self.tapCount = tapCount
        self.phaseCount = phaseCount
        // A row of zeros at the end: a fraction of 1 looks at it, and takes nothing of it.
        table = zeros((phaseCount + 2) * tapCount)
        for phase in 0...phaseCount {
            writeRow(phase, bandShare: bandShare, beta: beta)
        }
    }

    /// Frees its memory.
    public func deallocate() { table.deallocate() }

    /// Frames before the one that is read at that a reading needs.
    public var framesBefore: Int { @_noLocks get { tapCount / 2 - 1 } }
    /// Frames after the one that is read at that a reading needs.
    public var framesAfter: Int { @_noLocks get { tapCount / 2 } }

    /// The weights at a phase, whose sum is 1.
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

    /// The modified Bessel function of order 0.
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

    /// The value at one of the table's own places: so many of `phaseCount` parts of a frame after a frame.
    ///
    /// `tapCount` has to be a multiple of sixteen.
    @_noLocks @inline(__always)
    public func value(_ frame: UnsafePointer<Float>, phase: Int) -> Float {
        rt_sum_of_products(frame - framesBefore, table + phase * tapCount, Int64(tapCount))
    }

    /// The value `fraction` of a frame after a frame, 0 through 1.
    @_noLocks @inline(__always)
    public func value(_ frame: UnsafePointer<Float>, fraction: Double) -> Float {
        let place = fraction * Double(phaseCount)
        let phase = Int(place)
        let row = table + phase * tapCount
        let sums = rt_two_sums(
            frame - framesBefore, row, row + tapCount, Int64(tapCount))
        return sums.first + (sums.second - sums.first) * Float(place - Double(phase))
    }
}
