internal import CRealtime

/// Measures the frequency of one partial by how far its phase moves between two windows that overlap.
///
/// Both windows see the same shape of the sound, also where it dies away, so that all that is left between them is the time.
struct PartialProbe: BitwiseCopyable {
    // SAFETY: the place lives from `init` through `deallocate`, which the owner calls at its own end.
    private let window: UnsafeMutablePointer<Float>

    /// Samples of a window: at 40 Hz of 12 kHz five periods, so that partials stay apart.
    private static var windowSamples: Int { @_noLocks get { 1536 } }
    /// From one window to the next.
    private static var hopSamples: Int { @_noLocks get { 512 } }
    /// Samples that both windows take.
    static var spanSamples: Int { @_noLocks get { windowSamples + hopSamples } }

    /// A partial.
    struct Partial: BitwiseCopyable {
        /// In radians a sample.
        var frequency: Double
        /// The square of its amplitude, in no unit.
        var power: Double
    }

    /// Blackman and Harris' window: what is four bins away is 92 dB down.
    init() {
        window = .allocate(capacity: PartialProbe.windowSamples)
        for index in 0..<PartialProbe.windowSamples {
            let turn =
                2 * Double.pi * (Double(index) + 0.5) / Double(PartialProbe.windowSamples)
            let value =
                0.35875 - 0.48829 * rt_cos(turn) + 0.14128 * rt_cos(2 * turn)
                - 0.01168 * rt_cos(3 * turn)
            (window + index).initialize(to: Float(value))
        }
    }

    func deallocate() { window.deallocate() }

    /// The partial near a frequency, no farther than an eighth of a thousandth of a turn a sample: 12 Hz of 12 kHz.
    ///
    /// - Parameters:
    ///   - frequency: In radians a sample.
    ///   - samples: As many as both windows span, oldest first.
    /// - Returns: What was measured, whether or not there is a partial.
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

    /// The power that a sine of this mean square has here.
    @_noLocks
    func power(meanSquare: Double) -> Double {
        // The mean of the window is its first coefficient.
        let sum = 0.35875 * Double(PartialProbe.windowSamples)
        return meanSquare / 2 * sum * sum
    }

    /// The sums of both windows, turned back by the frequency: real and imaginary part of the older, then of the newer.
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
        let (old, weights) = (UnsafeRawPointer(samples), UnsafeRawPointer(window))
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
