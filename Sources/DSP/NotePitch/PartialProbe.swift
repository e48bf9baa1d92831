internal import CRealtime
internal import Realtime

/// A measurement of one partial's frequency, by its phase advance between two overlapping windows.
///
/// Both windows see the same shape of the sound, even while it decays, so that only the time
/// between them differs.
struct PartialProbe: ~Copyable {
    private let window: Buffer<Float>

    /// The length of a window in samples: five periods of 40 Hz at 12 kHz, so that partials stay
    /// separate.
    private static var windowSamples: Int { @_noLocks get { 1536 } }
    /// The distance between the two windows, in samples.
    private static var hopSamples: Int { @_noLocks get { 512 } }
    /// The number of samples that both windows span.
    static var spanSamples: Int { @_noLocks get { windowSamples + hopSamples } }

    /// A partial.
    struct Partial: BitwiseCopyable {
        /// The frequency in radians per sample.
        var frequency: Double
        /// The square of the amplitude, in arbitrary units.
        var power: Double
    }

    /// Creates a probe with a Blackman-Harris window, which is 92 dB down four bins away.
    init() {
        window = Buffer(count: PartialProbe.windowSamples) { index in
            let turn =
                2 * Double.pi * (Double(index) + 0.5) / Double(PartialProbe.windowSamples)
            let value =
                0.35875 - 0.48829 * rt_cos(turn) + 0.14128 * rt_cos(2 * turn)
                - 0.01168 * rt_cos(3 * turn)
            return Float(value)
        }
    }

    /// Measures the partial within 1/1024 turn per sample of a frequency: 12 Hz at 12 kHz.
    ///
    /// - Parameters:
    ///   - frequency: The expected frequency in radians per sample.
    ///   - samples: The samples that both windows span, oldest first.
    /// - Returns: The measurement, whether or not there is a partial.
    @_noLocks
    func partial(near frequency: Double, in samples: UnsafePointer<Float>) -> Partial {
        let sums = turnedSums(frequency, samples)
        let (old, new) = (SIMD2<Double>(sums.lowHalf), SIMD2<Double>(sums.highHalf))
        let real = new.x * old.x + new.y * old.y
        let imaginary = new.y * old.x - new.x * old.y
        let hop = Double(PartialProbe.hopSamples)
        let turns = (rt_atan2(imaginary, real) - frequency * hop) / (2 * Double.pi)
        let error = 2 * Double.pi * (turns - rt_round(turns)) / hop
        return Partial(frequency: frequency + error, power: new.x * new.x + new.y * new.y)
    }

    /// Returns the power that a sine of this mean square would have in a measurement.
    @_noLocks
    func power(meanSquare: Double) -> Double {
        // The mean of the window is its first coefficient.
        let sum = 0.35875 * Double(PartialProbe.windowSamples)
        return meanSquare / 2 * sum * sum
    }

    /// Returns the sums of both windows, turned back by the frequency: real and imaginary part of
    /// the older one, then of the newer one.
    @_noLocks
    private func turnedSums(_ frequency: Double, _ samples: UnsafePointer<Float>) -> SIMD4<Float> {
        var (oldReal, oldImaginary) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        var (newReal, newImaginary) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        var cosine = SIMD4<Float>(
            1, Float(rt_cos(frequency)), Float(rt_cos(2 * frequency)), Float(rt_cos(3 * frequency)))
        var sine = SIMD4<Float>(
            0, -Float(rt_sin(frequency)), -Float(rt_sin(2 * frequency)),
            -Float(rt_sin(3 * frequency)))
        let (stepCosine, stepSine) = (
            Float(rt_cos(4 * frequency)), -Float(rt_sin(4 * frequency))
        )
        let (old, weights) = (UnsafeRawPointer(samples), UnsafeRawPointer(window.start))
        let new = old + 4 * PartialProbe.hopSamples
        for offset in stride(from: 0, to: 4 * PartialProbe.windowSamples, by: 16) {
            let weight = weights.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
            let older = weight * old.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
            let newer = weight * new.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
            oldReal += older * cosine
            oldImaginary += older * sine
            newReal += newer * cosine
            newImaginary += newer * sine
            (cosine, sine) = (
                cosine * stepCosine - sine * stepSine, cosine * stepSine + sine * stepCosine
            )
        }
        return SIMD4(oldReal.sum(), oldImaginary.sum(), newReal.sum(), newImaginary.sum())
    }
}
