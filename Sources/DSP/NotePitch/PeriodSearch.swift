internal import CRealtime
internal import Realtime

/// A search for the period of a sound, by its similarity to itself at each lag: McLeod's normalised
/// square difference.
///
/// Among all lags that match about as well as the best one, the shortest is the period. At half the
/// period, the odd partials are in antiphase; its multiples match no better.
struct PeriodSearch: ~Copyable {
    private let samples: Buffer<Float>
    private let spectrum: ComplexBuffer
    private let products: Buffer<Float>
    /// The similarity at every half sample of lag: 1 where the sound repeats itself.
    private let likeness: Buffer<Float>
    private let forward: RealTransform
    private let inverse: RealTransform
    /// The number of half samples of lag that are examined.
    private let lagCount: Int
    private let samplesPerSecond: Double

    /// The number of samples in the window: 85 ms at 12 kHz.
    static var windowSamples: Int { @_noLocks get { 1024 } }
    private static var size: Int { @_noLocks get { 2 * windowSamples } }
    /// The similarity below which there is no pitch.
    private static var minimumLikeness: Float { @_noLocks get { 0.8 } }

    init(samplesPerSecond: Double, lowestHertz: Double) {
        self.samplesPerSecond = samplesPerSecond
        lagCount = 2 * Int(samplesPerSecond / lowestHertz) + 2
        forward = RealTransform(size: PeriodSearch.size)
        inverse = RealTransform(size: 2 * PeriodSearch.size)
        samples = Buffer(count: forward.size, repeating: 0)
        spectrum = ComplexBuffer(count: inverse.bins)
        products = Buffer(count: inverse.size, repeating: 0)
        likeness = Buffer(count: lagCount + 2, repeating: 0)
    }

    /// Performs the first part of the work: transforms the window's samples, oldest first, to their
    /// power spectrum.
    ///
    /// - Returns: The mean square.
    @_noLocks
    func transform(_ window: UnsafePointer<Float>) -> Double {
        let count = PeriodSearch.windowSamples
        let (real, imaginary) = (spectrum.real, spectrum.imaginary)
        rt_copy(samples.start, window, Int64(count))
        forward.forward(samples.start, real: real, imaginary: imaginary)
        let half = PeriodSearch.size / 2
        for bin in 0...half {
            real[bin] = real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
            imaginary[bin] = 0
        }
        // The inverse transform is twice as long, with zeros above this bin: this doubles the
        // resolution of the lags.
        real[half] /= 2
        return Double(rt_level(samples.start, Int64(count)).squares) / Double(count)
    }

    /// Performs the second part: calculates the similarity at each lag from the power spectrum.
    @_noLocks
    func correlate() {
        inverse.inverse(
            real: spectrum.real, imaginary: spectrum.imaginary, output: products.start)
        let count = PeriodSearch.windowSamples
        var energy = 2 * Double(rt_level(samples.start, Int64(count)).squares)
        let scale = 2 / Double(PeriodSearch.size)
        for lag in 0...(lagCount / 2) {
            let (old, new) = (Double(samples[lag]), Double(samples[count - 1 - lag]))
            let lost = old * old + new * new
            likeness[2 * lag] = Float(scale * Double(products[2 * lag]) / (energy + 1e-12))
            likeness[2 * lag + 1] = Float(
                scale * Double(products[2 * lag + 1]) / (energy - lost / 2 + 1e-12))
            energy -= lost
        }
    }

    /// Performs the third part: returns the pitch in Hz, or 0 if the sound has no pitch.
    @_noLocks
    func hertz() -> Double {
        var start = 1
        while start < lagCount, likeness[start] > 0 { start += 1 }
        var best: Float = 0
        for lag in start..<lagCount where isPeak(lag) { best = max(best, peak(near: lag).height) }
        guard best > PeriodSearch.minimumLikeness else { return 0 }
        // The lower the best similarity, the larger its random part.
        let least = best - 0.012 - 0.5 * max(0, 1 - best)
        for lag in start..<lagCount where isPeak(lag) {
            let peak = peak(near: lag)
            // The parabola underestimates the sharp peaks of short periods.
            guard peak.height >= least - 5 / Float(lag * lag) else { continue }
            return 2 * samplesPerSecond / refined(peak.lag, least: 0.8 * best)
        }
        return 0
    }

    @_noLocks
    private func isPeak(_ lag: Int) -> Bool {
        likeness[lag] > 0 && likeness[lag] >= likeness[lag - 1] && likeness[lag] > likeness[lag + 1]
    }

    /// Returns the vertex of the parabola through a lag and its neighbours.
    @_noLocks
    private func peak(near lag: Int) -> (lag: Double, height: Float) {
        let (before, here, after) = (likeness[lag - 1], likeness[lag], likeness[lag + 1])
        let bend = before - 2 * here + after
        guard bend < 0 else { return (Double(lag), here) }
        let offset = 0.5 * (before - after) / bend
        return (Double(lag) + Double(offset), here - 0.25 * (before - after) * offset)
    }

    /// Refines the period from its multiples: their lags are equally exact but span more periods.
    @_noLocks
    private func refined(_ lag: Double, least: Float) -> Double {
        var period = lag
        var count = 2.0
        while count * period < Double(lagCount - 1) {
            var top = Int(count * period + 0.5)
            while top > 1, likeness[top - 1] > likeness[top] { top -= 1 }
            while top < lagCount, likeness[top + 1] > likeness[top] { top += 1 }
            let peak = peak(near: top)
            guard peak.height > least, abs(peak.lag / count - period) < 0.1 * period else { break }
            period = peak.lag / count
            count *= 2
        }
        return period
    }
}
