internal import CRealtime

/// A fourth-order Butterworth high-pass that removes rumble, hum and offsets, which resemble
/// themselves at every lag.
struct RumbleFilter: BitwiseCopyable {
    /// One section in transposed direct form II; the numerator is the gain times (1, -2, 1).
    private struct Section: BitwiseCopyable {
        let gain: Double
        let a1: Double
        let a2: Double
        var first = 0.0
        var second = 0.0

        /// Creates a section by the bilinear transform, from the warped frequency `g` and the
        /// damping 1/Q.
        init(g: Double, damping: Double) {
            let scale = 1 / (1 + g * (g + damping))
            gain = scale
            a1 = 2 * (g * g - 1) * scale
            a2 = (1 + g * (g - damping)) * scale
        }

        @_noLocks @inline(__always)
        mutating func next(_ x: Double) -> Double {
            let scaled = gain * x
            let y = scaled + first
            first = second - 2 * scaled - a1 * y
            second = scaled - a2 * y
            return y
        }
    }

    private var sharp: Section
    private var flat: Section

    /// Creates a filter at rest.
    init(hertz: Double, samplesPerSecond: Double) {
        let g = rt_tan(Double.pi * hertz / samplesPerSecond)
        sharp = Section(g: g, damping: 2 * rt_cos(3 * Double.pi / 8))
        flat = Section(g: g, damping: 2 * rt_cos(Double.pi / 8))
    }

    @_noLocks
    mutating func reset() {
        (sharp.first, sharp.second) = (0, 0)
        (flat.first, flat.second) = (0, 0)
    }

    /// Filters the samples of a step, stored newest first, in place.
    @_noLocks
    mutating func process(_ samples: UnsafeMutablePointer<Float>) {
        var (one, two) = (sharp, flat)
        for index in stride(from: TrackerScale.stepSamples - 1, through: 0, by: -1) {
            samples[index] = Float(two.next(one.next(Double(samples[index]))))
        }
        (sharp, flat) = (one, two)
    }

    /// Filters one sample, and returns the output.
    @_noLocks
    mutating func next(_ sample: Float) -> Float { Float(flat.next(sharp.next(Double(sample)))) }
}
