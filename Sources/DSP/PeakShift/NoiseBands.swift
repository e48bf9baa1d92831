internal import CRealtime
public import Realtime

/// The bands of a spectrum in which nothing but steady noise sounds.
///
/// The amplitudes of noise follow the Rayleigh distribution: the square of their mean is π/4, or
/// 0.785, of the mean of their squares. All other sounds have a smaller share: partials leave gaps
/// between them, attacks and decays leave gaps in time. Both means extend over a band of about 750
/// Hz and 150 ms; then noise has 0.75 to 0.80, and speech, drums and chords have less than 0.72.
public struct NoiseBands: ~Copyable {
    /// For each channel, the sum of the amplitudes of each band, then the sum of their squares.
    private let sums: Buffer<Float>
    private let areNoise: Buffer<Bool>
    private let count: Int
    private let channelCount: Int
    /// The share of the sums that each hop replaces.
    private let forgotten: Float
    /// Whether any band is noise.
    public private(set) var isAny = false

    /// The number of bins per band, in bins twice as wide as those of the fine grid.
    private static var bins: Int { @_noLocks get { 32 } }
    /// The share from which a band is noise, and below which it is no longer noise.
    private static var least: Float { @_noLocks get { 0.77 } }
    private static var lost: Float { @_noLocks get { 0.745 } }
    /// The mean square below which there is silence.
    private static var silence: Float { @_noLocks get { 1e-12 } }

    /// Creates bands without noise.
    ///
    /// - Parameters:
    ///   - bins: The number of bins in which the noise is measured.
    ///   - hopFrames: The number of frames between two measurements.
    ///   - sampleRate: In Hz.
    ///   - channelCount: The number of channels.
    public init(bins: Int, hopFrames: Int, sampleRate: Double, channelCount: Int) {
        self.channelCount = channelCount
        count = bins / NoiseBands.bins
        sums = Buffer(count: 2 * channelCount * count, repeating: 0)
        // The last bins do not fill a band; they are never noise.
        areNoise = Buffer(count: count + 2, repeating: false)
        forgotten = Float(1 - rt_exp(-Double(hopFrames) / (0.15 * sampleRate)))
    }

    /// Restarts without noise.
    @_noLocks
    public mutating func clear() {
        rt_clear(sums.start, Int64(sums.count))
        for band in 0..<count { areNoise[band] = false }
        isAny = false
    }

    /// The number of words of `note`.
    public var noteWords: Int { (count + 63) / 64 }

    /// Writes which bands are noise.
    @_noLocks
    public func note(to notes: UnsafeMutablePointer<StateNotes>) {
        for first in stride(from: 0, to: count, by: 64) {
            var word: UInt64 = 0
            for band in first..<min(first + 64, count) where areNoise[band] {
                word |= 1 &<< UInt64(band &- first)
            }
            notes.pointee.put(word)
        }
    }

    /// Continues with noted bands.
    @_noLocks
    public mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        for first in stride(from: 0, to: count, by: 64) {
            let word = notes.pointee.pop()
            for band in first..<min(first + 64, count) {
                areNoise[band] = word &>> UInt64(band &- first) & 1 != 0
            }
        }
    }

    /// Adds the amplitudes of a channel.
    @_noLocks
    public func measure(_ amplitudes: UnsafePointer<Float>, channel: Int) {
        for band in 0..<count {
            let first = amplitudes + band &* NoiseBands.bins
            var (total, squares) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
            var bin = 0
            while bin < NoiseBands.bins {
                let lanes = rt_load(first + bin)
                total += lanes
                squares += lanes * lanes
                bin &+= 4
            }
            add(total, squares, channel, band)
        }
    }

    /// Adds the amplitudes of a channel's spectrum.
    @_noLocks
    public func measure(_ spectrum: SplitSpectrum, channel: Int) {
        for band in 0..<count {
            let first = band &* NoiseBands.bins
            var (total, squares) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
            var bin = first
            while bin < first &+ NoiseBands.bins {
                let (x, y) = (rt_load(spectrum.real + bin), rt_load(spectrum.imaginary + bin))
                let power = x * x + y * y
                total += rt_root(power)
                squares += power
                bin &+= 4
            }
            add(total, squares, channel, band)
        }
    }

    @_noLocks @inline(__always)
    private func add(
        _ total: SIMD4<Float>, _ squares: SIMD4<Float>, _ channel: Int, _ band: Int
    ) {
        let sum = sums.start + (2 &* channel &* count &+ band)
        sum[0] += forgotten * (rt_sum_of_lanes(total) - sum[0])
        sum[count] += forgotten * (rt_sum_of_lanes(squares) - sum[count])
    }

    /// Decides which bands are noise, from the measurements of all channels.
    @_noLocks
    public mutating func settle() {
        isAny = false
        for band in 0..<count {
            var (mean, square): (Float, Float) = (0, 0)
            for channel in 0..<channelCount {
                let sum = sums.start + (2 &* channel &* count &+ band)
                mean += sum[0] * sum[0]
                square += sum[count]
            }
            let least = areNoise[band] ? NoiseBands.lost : NoiseBands.least
            let bins = Float(NoiseBands.bins)
            areNoise[band] = square > NoiseBands.silence * bins && mean > least * bins * square
            isAny = isAny || areNoise[band]
        }
    }

    /// Restarts the measurement of the bands in which an attack began.
    @_noLocks
    public mutating func forget(_ attacks: borrowing AttackBands) {
        for band in 0..<count where areNoise[band] {
            // The middle of the band on the fine grid.
            guard attacks.isStruck(bin: (2 &* band &+ 1) &* NoiseBands.bins) else { continue }
            areNoise[band] = false
            for channel in 0..<channelCount {
                let sum = sums.start + (2 &* channel &* count &+ band)
                sum[0] = 0
                sum[count] = 0
            }
        }
    }

    /// The regions of noise on a grid with bins of this size.
    @_noLocks
    public func regions(isCoarse: Bool) -> NoiseRegions {
        NoiseRegions(areNoise: isAny ? areNoise.start : nil, isCoarse: isCoarse)
    }
}

/// The regions into which a spectrum is divided where it is noise.
///
/// They have a fixed place and width. Regions around the peaks of noise would come and go, and their
/// peaks would sound like short tones.
public struct NoiseRegions: BitwiseCopyable {
    // SAFETY: the pointer refers to the buffer of `NoiseBands`, which outlives this value.
    /// Whether each band is noise; `nil` if none is.
    let areNoise: UnsafePointer<Bool>?
    /// The exponent of the number of blocks of 32 bins per band.
    private let shift: Int
    /// The middles of the regions in a block of 32 bins: 375 Hz apart, and half of it in the lowest
    /// bands, where the ear separates more.
    private let middles: UInt64
    private let lowMiddles: UInt64

    /// No regions.
    public static var none: NoiseRegions {
        @_noLocks get { NoiseRegions(areNoise: nil, isCoarse: true) }
    }

    @_noLocks
    init(areNoise: UnsafePointer<Bool>?, isCoarse: Bool) {
        self.areNoise = areNoise
        shift = isCoarse ? 0 : 1
        middles = isCoarse ? 0x0100_0100 : 0x0001_0000
        lowMiddles = isCoarse ? 0x1010_1010 : 0x0100_0100
    }

    /// Returns whether a bin is in a band of noise.
    @_noLocks @inline(__always)
    func contains(_ bin: Int) -> Bool {
        guard let areNoise else { return false }
        return areNoise[bin &>> (5 &+ shift)]
    }

    /// Returns one bit per bin of a block of 32, set at the middles of regions; `nil` if the block is
    /// not noise.
    @_noLocks @inline(__always)
    func middles(_ first: Int) -> UInt64? {
        guard contains(first) else { return nil }
        return first &>> (5 &+ shift) < 4 ? lowMiddles : middles
    }
}
