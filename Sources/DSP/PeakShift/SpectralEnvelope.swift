internal import CRealtime

/// The envelope of a spectrum, smooth across its peaks: the effect of a mouth or an instrument's
/// body on a sound, apart from its pitch.
///
/// The spectrum is smoothed in the cepstrum, raised to the levels that exceed it, and smoothed
/// again, until it follows the peaks: the true envelope of Röbel and Rodet (2005). Each hop starts
/// from the envelope of the previous hop. Levels are base-2 logarithms of power, of the strongest
/// of every four bins, up to 24 kHz.
public struct SpectralEnvelope: BitwiseCopyable {
    // SAFETY: the buffers are allocated in `init` and freed only in `deallocate`, which the owner
    // calls last.
    private let transform: RealTransform
    private let levels: UnsafeMutablePointer<Float>
    private let envelope: UnsafeMutablePointer<Float>
    /// The levels to smooth, then their imaginary parts.
    private let raised: UnsafeMutablePointer<Float>
    private let imaginary: UnsafeMutablePointer<Float>
    private let cepstrum: UnsafeMutablePointer<Float>
    /// The weights of the cepstrum.
    private let lifter: UnsafeMutablePointer<Float>
    private let points: Int

    /// The quefrency up to which the cepstrum is kept: half the period of a 200 Hz voice.
    private static var orderSeconds: Double { 1.0 / 400 }
    /// The number of fine bins per point.
    private static var binsPerPoint: Int { @_noLocks get { 4 } }
    /// The lowest power: -190 dB.
    private static var floor: Float { @_noLocks get { 1e-19 } }
    /// The fall of the envelope per hop while the levels are below it: 1.5 dB.
    private static var fall: Float { @_noLocks get { 0.5 } }
    /// The maximum change of an amplitude: 60 dB.
    private static var most: Float { @_noLocks get { 10 } }

    /// Creates an envelope of silence.
    public init(_ lengths: ShiftLengths, sampleRate: Double) {
        let size = min(1024, lengths.transformFrames / 4)
        transform = RealTransform(size: size)
        points = size / 2 + 1
        func places(_ count: Int) -> UnsafeMutablePointer<Float> {
            let places = UnsafeMutablePointer<Float>.allocate(capacity: count)
            places.initialize(repeating: 0, count: count)
            return places
        }
        levels = places(points + 7)
        envelope = places(points + 7)
        raised = places(points + 7)
        imaginary = places(points + 7)
        cepstrum = places(size)
        lifter = places(size)
        // The transform of the points covers a quarter of the spectrum's transform.
        let pointRate = Double(size) * 4 * sampleRate / Double(lengths.transformFrames)
        let order = SpectralEnvelope.orderSeconds * pointRate
        for place in 0..<size {
            let quefrency = Double(min(place, size - place))
            let share = max(0, min(1, (quefrency / order - 0.5)))
            lifter[place] = Float(0.5 * (1 + rt_cos(Double.pi * share)) / Double(size))
        }
        clear()
    }

    /// Frees its memory.
    public func deallocate() {
        transform.deallocate()
        levels.deallocate()
        envelope.deallocate()
        raised.deallocate()
        imaginary.deallocate()
        cepstrum.deallocate()
        lifter.deallocate()
    }

    /// Restarts from silence.
    @_noLocks
    public func clear() {
        let level = Float(rt_log(Double(SpectralEnvelope.floor)) / 0.6931471805599453)
        for point in 0..<points + 7 {
            envelope[point] = level
            levels[point] = level
        }
    }

    /// Moves the envelope towards the next hop's power spectrum, which needs two more readable
    /// elements before it and 32 after it.
    @_noLocks
    public func follow(_ power: UnsafePointer<Float>, _ grid: SpectrumGrid) {
        let bins = SpectralEnvelope.binsPerPoint >> grid.shift
        for point in stride(from: 0, to: points + 3, by: 4) {
            var strongest = SIMD4(repeating: SpectralEnvelope.floor)
            for near in -bins / 2..<bins / 2 {
                let place = power + (bins * point + near)
                let here = SIMD4(
                    place[0], place[bins], place[2 * bins], place[3 * bins])
                strongest = rt_where(rt_above(here, strongest), here, strongest)
            }
            rt_store(levels + point, rt_lanes_log2(strongest))
        }
        draw(fall: SpectralEnvelope.fall)
    }

    /// Improves the envelope by one more iteration.
    @_noLocks
    public func refine() { draw(fall: 0) }

    /// Smooths the levels, raised to the envelope minus `fall` where they are below it.
    @_noLocks
    private func draw(fall: Float) {
        for point in stride(from: 0, to: points + 3, by: 4) {
            let (level, held) = (rt_load(levels + point), rt_load(envelope + point) - fall)
            rt_store(raised + point, rt_where(rt_above(level, held), level, held))
        }
        transform.inverse(real: raised, imaginary: imaginary, output: cepstrum)
        for place in 0..<transform.size { cepstrum[place] *= lifter[place] }
        transform.forward(cepstrum, real: envelope, imaginary: imaginary)
        // The spectrum of an even sequence is real: only rounding errors remain.
        rt_clear(imaginary, Int64(points))
    }

    /// Multiplies the factors of a map's regions so that each region gets the level that the
    /// envelope has at another frequency.
    ///
    /// - Parameters:
    ///   - map: The regions, settled.
    ///   - scale: The factor from a region's frequency to the frequency at which the envelope is
    ///     read.
    @_noLocks
    public func shape(_ map: borrowing PeakMap, scale: Float) {
        let regions = map.regions
        let most = SpectralEnvelope.most
        for region in stride(from: 0, to: regions.count, by: 4) {
            let bins = rt_load(regions.frequencies + region) * Float(1 << map.grid.shift)
            var change = (levels(scale * bins) - levels(bins)) * 0.5
            change = rt_where(
                rt_above(change, SIMD4(repeating: most)), SIMD4(repeating: most), change)
            change = rt_where(
                rt_above(change, SIMD4(repeating: -most)), change, SIMD4(repeating: -most))
            let gain = rt_lanes_exp2(change)
            let (real, imaginary) = (regions.reals + region, regions.imaginaries + region)
            rt_store(real, rt_load(real) * gain)
            rt_store(imaginary, rt_load(imaginary) * gain)
        }
    }

    /// Returns the envelope's levels at four fine bins.
    @_noLocks
    private func levels(_ bins: SIMD4<Float>) -> SIMD4<Float> {
        SIMD4(level(bins[0]), level(bins[1]), level(bins[2]), level(bins[3]))
    }

    /// Returns the envelope's level at a fine bin.
    @_noLocks @inline(__always)
    private func level(_ bin: Float) -> Float {
        // Point k covers the bins from 4 k - 2 to 4 k + 1.
        let place = min(max(bin * 0.25 + 0.125, 0), Float(points - 2))
        let whole = Int(place)
        return envelope[whole] + (place - Float(whole)) * (envelope[whole + 1] - envelope[whole])
    }
}
