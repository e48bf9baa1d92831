internal import CRealtime
internal import Realtime

/// Makes steady sines audible, many at once, in frames that overlap.
///
/// Each hop, the caller adds all sines of a channel with their phases in the middle of the frame,
/// and one inverse transform turns them into sound.
public struct PartialSynthesis: ~Copyable {
    /// The distance from one frame to the next, in frames.
    public let hopFrames: Int
    private let transform: RealTransform
    private let lobes: PartialLobes
    private let spectrum: ComplexBuffer
    private let samples: Buffer<Float>
    /// A Hann window of two hops, divided by the window of the lobes.
    private let weights: Buffer<Float>

    /// The number of elements before and after the spectrum that lobes may overhang.
    private static var margin: Int { @_noLocks get { PartialLobes.width } }

    /// Creates a synthesis with transforms of four hops.
    ///
    /// - Parameter hopFrames: A power of two, at least 16.
    public init(hopFrames: Int) {
        self.hopFrames = hopFrames
        let size = 4 * hopFrames
        transform = RealTransform(size: size)
        lobes = PartialLobes(size: size)
        spectrum = ComplexBuffer(count: transform.bins + 2 * PartialSynthesis.margin)
        samples = Buffer(count: size, repeating: 0)
        weights = Buffer(count: 2 * hopFrames, repeating: 0)
        for frame in 0..<2 * hopFrames {
            let distance = Double(frame) - Double(hopFrames)
            let angle = 2 * Double.pi * distance / Double(size)
            let window = PartialLobes.window.indices.reduce(0) { sum, term in
                sum + PartialLobes.window[term] * rt_cos(Double(term) * angle)
            }
            let hann = 0.5 + 0.5 * rt_cos(Double.pi * distance / Double(hopFrames))
            // An inverse transform multiplies by the size of the transform.
            weights[frame] = Float(hann / window / Double(size))
        }
    }

    /// The number of frames of a transform: a sine's position is its frequency times this number.
    public var transformFrames: Int { @_noLocks get { transform.size } }

    /// The highest position of a sine: its lobe must stay below half the sample rate.
    public var highestPosition: Float { @_noLocks get { Float(transform.bins - 8) } }

    /// Begins a frame.
    @_noLocks
    public func clear() {
        let count = Int64(transform.bins + 2 * PartialSynthesis.margin)
        rt_clear(spectrum.real, count)
        rt_clear(spectrum.imaginary, count)
    }

    /// Adds a sine.
    ///
    /// - Parameters:
    ///   - position: The frequency in cycles per transform, from 0 through `highestPosition`.
    ///   - real: The amplitude times the cosine of the phase in the middle of the frame.
    ///   - imaginary: The amplitude times the sine of that phase.
    @_noLocks @inline(__always)
    public func add(_ position: Float, real: Float, imaginary: Float) {
        lobes.add(position, real: real, imaginary: imaginary, to: shifted)
    }

    /// The spectrum without its margin.
    private var shifted: SplitSpectrum {
        @_noLocks @inline(__always) get {
            SplitSpectrum(
                real: spectrum.real + PartialSynthesis.margin,
                imaginary: spectrum.imaginary + PartialSynthesis.margin)
        }
    }

    /// Adds the frame to a ring of two hops.
    ///
    /// - Parameters:
    ///   - ring: The ring.
    ///   - first: The index of the frame's first sample, a multiple of the hop.
    @_noLocks
    public func overlap(onto ring: UnsafeMutablePointer<Float>, first: Int) {
        fold()
        transform.inverse(
            real: shifted.real, imaginary: shifted.imaginary, output: samples.start)
        let size = transform.size
        for frame in 0..<2 * hopFrames {
            // The middle of the window is the first sample.
            let sample = samples[(frame - hopFrames + size) & (size - 1)]
            ring[(first + frame) % (2 * hopFrames)] += sample * weights[frame]
        }
    }

    /// Folds what lobes left below 0 Hz back: a real sine has a mirror image there.
    @_noLocks
    private func fold() {
        let (real, imaginary) = (shifted.real, shifted.imaginary)
        real[0] += real[0]
        imaginary[0] = 0
        for bin in 1..<PartialSynthesis.margin {
            real[bin] += real[-bin]
            imaginary[bin] -= imaginary[-bin]
        }
    }
}
