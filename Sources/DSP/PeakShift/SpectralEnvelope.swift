internal import CRealtime
public import Realtime

/// The envelope of a spectrum, smooth across its peaks: the effect of a mouth or an instrument's
/// body on a sound, apart from its pitch.
///
/// The spectrum is smoothed in the cepstrum, raised to the levels that exceed it, and smoothed
/// again, until it follows the peaks: the true envelope of Röbel and Rodet (2005). Each hop starts
/// from the envelope of the previous hop. Levels are base-2 logarithms of power, of the strongest
/// of every four bins, up to 24 kHz.
public struct SpectralEnvelope: ~Copyable {
    private let transform: RealTransform
    private let levels: Buffer<Float>
    private let envelope: Buffer<Float>
    /// The levels to smooth, then their imaginary parts.
    private let raised: Buffer<Float>
    private let imaginary: Buffer<Float>
    private let cepstrum: Buffer<Float>
    /// The weights of the cepstrum.
    private let lifter: Buffer<Float>
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
    /// The amplitude, relative to the strongest bin that moves past Nyquist, up to which no region
    /// is raised: -80 dB.
    ///
    /// Weaker regions can be side lobes of such a bin. The envelope is high there, so they would
    /// become audible.
    private static var leak: Float { @_noLocks get { -13.3 } }

    /// Creates an envelope of silence.
    public init(_ lengths: ShiftLengths, sampleRate: Double) {
        let size = min(1024, lengths.transformFrames / 4)
        transform = RealTransform(size: size)
        points = size / 2 + 1
        levels = Buffer(count: points + 7, repeating: 0)
        envelope = Buffer(count: points + 7, repeating: 0)
        raised = Buffer(count: points + 7, repeating: 0)
        imaginary = Buffer(count: points + 7, repeating: 0)
        cepstrum = Buffer(count: size, repeating: 0)
        lifter = Buffer(count: size, repeating: 0)
        // The transform of the points covers a quarter of the spectrum's transform.
        let pointRate = Double(size) * 4 * sampleRate / Double(lengths.transformFrames)
        let order = SpectralEnvelope.orderSeconds * pointRate
        for index in 0..<size {
            let quefrency = Double(min(index, size - index))
            let share = max(0, min(1, (quefrency / order - 0.5)))
            lifter[index] = Float(0.5 * (1 + rt_cos(Double.pi * share)) / Double(size))
        }
        clear()
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

    /// The number of words of `note`.
    public var noteWords: Int { (points + 1) / 2 }

    /// Writes the levels.
    @_noLocks
    public func note(to notes: UnsafeMutablePointer<StateNotes>) {
        for point in stride(from: 0, to: points, by: 2) {
            notes.pointee.put(envelope[point], envelope[point + 1])
        }
    }

    /// Continues with noted levels.
    @_noLocks
    public func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        for point in stride(from: 0, to: points, by: 2) {
            (envelope[point], envelope[point + 1]) = notes.pointee.popNumbers(within: 1e6)
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
                let first = power + (bins * point + near)
                let here = SIMD4(
                    first[0], first[bins], first[2 * bins], first[3 * bins])
                strongest = rt_where(rt_above(here, strongest), here, strongest)
            }
            rt_store(levels.start + point, rt_lanes_log2(strongest))
        }
        draw(fall: SpectralEnvelope.fall)
    }

    /// Improves the envelope by one more iteration.
    @_noLocks
    public func refine() { draw(fall: 0) }

    /// Smooths the levels, raised to the envelope minus `fall` where they are below it.
    @_noLocks
    private func draw(fall: Float) {
        let (levels, envelope, raised) = (levels.start, envelope.start, raised.start)
        let (imaginary, cepstrum, lifter) = (imaginary.start, cepstrum.start, lifter.start)
        for point in stride(from: 0, to: points + 3, by: 4) {
            let (level, held) = (rt_load(levels + point), rt_load(envelope + point) - fall)
            rt_store(raised + point, rt_where(rt_above(level, held), level, held))
        }
        transform.inverse(real: raised, imaginary: imaginary, output: cepstrum)
        for index in 0..<transform.size { cepstrum[index] *= lifter[index] }
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
    ///   - power: The power spectrum in which the regions were found.
    ///   - ratio: The factor of all frequencies.
    @_noLocks
    public func shape(
        _ map: borrowing PeakMap, scale: Float, power: UnsafePointer<Float>, ratio: Double
    ) {
        let floor = floor(power, bins: map.grid.bins, ratio: ratio)
        shape(
            map.regions, fineBinsPerBin: Float(1 << map.grid.shift), scale: scale, power: power,
            floor: floor)
    }

    /// Multiplies the factors of regions.
    ///
    /// - Parameters:
    ///   - regions: The regions, with their factors.
    ///   - fineBinsPerBin: The fine bins per bin of the regions.
    ///   - scale: As for a map.
    ///   - power: The power spectrum in which the regions were found.
    ///   - floor: The result of `floor`.
    @_noLocks
    func shape(
        _ regions: borrowing PeakRegions, fineBinsPerBin: Float, scale: Float,
        power: UnsafePointer<Float>, floor: SIMD4<Float>
    ) {
        let (reals, imaginaries, peaks) = (regions.reals, regions.imaginaries, regions.peaks)
        for region in stride(from: 0, to: regions.count, by: 4) {
            let there = SIMD4(
                power[Int(peaks[region])], power[Int(peaks[region + 1])],
                power[Int(peaks[region + 2])], power[Int(peaks[region + 3])])
            let factors = factors(
                rt_load(regions.frequencies + region) * fineBinsPerBin, there, scale: scale,
                floor: floor)
            let (real, imaginary) = (reals + region, imaginaries + region)
            rt_store(real, rt_load(real) * factors)
            rt_store(imaginary, rt_load(imaginary) * factors)
        }
    }

    /// Finds how much four sounds change.
    ///
    /// - Parameters:
    ///   - bins: Their frequencies in fine bins.
    ///   - power: Their power.
    ///   - scale: As for a map.
    ///   - floor: The result of `floor`.
    /// - Returns: Their factors.
    @_noLocks @inline(__always)
    func factors(
        _ bins: SIMD4<Float>, _ power: SIMD4<Float>, scale: Float, floor: SIMD4<Float>
    ) -> SIMD4<Float> {
        let most = SIMD4(repeating: SpectralEnvelope.most)
        var change = (levels(scale * bins) - levels(bins)) * 0.5
        let above = rt_lanes_log2(power) * 0.5 - floor
        let limit = rt_where(
            rt_above(above, most), most, rt_where(rt_above(above, .zero), above, .zero))
        change = rt_where(rt_above(change, limit), limit, change)
        change = rt_where(rt_above(change, -most), change, -most)
        return rt_lanes_exp2(change)
    }

    /// Finds the level up to which no sound is raised: it may be a side lobe of what moves past
    /// Nyquist.
    ///
    /// - Parameters:
    ///   - power: The power spectrum.
    ///   - bins: The number of its bins.
    ///   - ratio: The factor of all frequencies.
    /// - Returns: The level in octaves of amplitude, in all lanes.
    @_noLocks
    func floor(
        _ power: UnsafePointer<Float>, bins: Int, ratio: Double
    ) -> SIMD4<Float> {
        let lost = strongestLost(power, bins: bins, ratio: ratio)
        return rt_lanes_log2(SIMD4(repeating: max(lost, 1e-37))) * 0.5 + SpectralEnvelope.leak
    }

    /// Returns the power of the strongest bin that moves past Nyquist; 0 if none does.
    @_noLocks
    private func strongestLost(
        _ power: UnsafePointer<Float>, bins: Int, ratio: Double
    ) -> Float {
        guard ratio > 1 else { return 0 }
        var strongest: Float = 0
        for bin in Int(Double(bins) / ratio)..<bins where power[bin] > strongest {
            strongest = power[bin]
        }
        return strongest
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
        let point = min(max(bin * 0.25 + 0.125, 0), Float(points - 2))
        let whole = Int(point)
        return envelope[whole] + (point - Float(whole)) * (envelope[whole + 1] - envelope[whole])
    }
}
