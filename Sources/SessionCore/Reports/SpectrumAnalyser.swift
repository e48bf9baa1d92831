internal import CRealtime
internal import DSP
internal import Realtime

/// Calculates the spectrum of the newest frames of a signal.
package struct SpectrumAnalyser: ~Copyable {
    /// The sample rate in Hz.
    let sampleRate: Double
    /// The number of frames that `levels` needs: 85 ms at 48 kHz.
    package let frameCount: Int
    private let transform: RealTransform
    private let window: [Float]
    private let windowed: Buffer<Float>
    private let real: Buffer<Float>
    private let imaginary: Buffer<Float>
    /// The first and the last bin of each level.
    private let bands: [ClosedRange<Int>]
    private let scale: Double

    /// Creates an analyser for a sample rate in Hz.
    package init(sampleRate: Double) {
        self.sampleRate = sampleRate
        frameCount = sampleRate > 60_000 ? 8192 : 4096
        transform = RealTransform(size: frameCount)
        // The transform writes four numbers at a time.
        windowed = Buffer(count: frameCount, repeating: 0)
        real = Buffer(count: transform.bins + 3, repeating: 0)
        imaginary = Buffer(count: transform.bins + 3, repeating: 0)
        let (count, bins) = (frameCount, transform.bins)
        window = (0..<count).map {
            Float(0.5 - 0.5 * rt_cos(2 * Double.pi * Double($0) / Double(count)))
        }
        scale = 4 / Double(count)
        let ratio = NodeSpectrum.highestHertz / NodeSpectrum.lowestHertz
        let step = rt_log(ratio) / Double(NodeSpectrum.count - 1)
        bands = (0..<NodeSpectrum.count).map { index in
            let bin = { (steps: Double) in
                NodeSpectrum.lowestHertz * rt_exp(step * steps) * Double(count) / sampleRate
            }
            let first = Int(bin(Double(index) - 0.5).rounded())
            let last = Int(bin(Double(index) + 0.5).rounded())
            let low = min(max(first, 0), bins - 1)
            return low...min(max(last, low), bins - 1)
        }
    }

    /// Returns the levels of `NodeSpectrum`: for each, the highest of the bins around its
    /// frequency.
    package func levels(of frames: [Float]) -> [Double] {
        for index in 0..<frameCount { windowed[index] = frames[index] * window[index] }
        transform.forward(windowed.start, real: real.start, imaginary: imaginary.start)
        return bands.map { band in
            let power = band.reduce(Float(0)) { most, bin in
                max(most, real[bin] * real[bin] + imaginary[bin] * imaginary[bin])
            }
            return (scale * rt_sqrt(Double(power))).decibels
        }
    }
}
