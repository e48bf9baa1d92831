internal import CRealtime

/// The partials of the low band, told apart by a longer look than the transform's, taken now and then.
///
/// A peak of the transform that holds two partials holds two of these.
public struct PartialList: BitwiseCopyable {
    // SAFETY: the places live from `init` through `deallocate`, which the owner calls at its own end.
    private let transform: RealTransform
    private let window: UnsafeMutablePointer<Float>
    private let points: UnsafeMutablePointer<Float>
    private let spectrum: SplitSpectrum
    /// Over all channels.
    private let power: UnsafeMutablePointer<Float>
    /// Its logarithms to the base of 2.
    private let logarithms: UnsafeMutablePointer<Float>
    /// In bins of the transform, in rising order.
    let frequencies: UnsafeMutablePointer<Float>
    /// Logarithms of their powers to the base of 2.
    let levels: UnsafeMutablePointer<Float>
    /// How many there are.
    public private(set) var count = 0

    /// Bins up to which there are partials, 2.4 kHz at 48 kHz: above, what the band leaves out is folded back.
    private static var bins: Int { @_noLocks get { 408 } }
    /// How many bins make one of the transform.
    private static var binsPerBin: Float { @_noLocks get { 2 } }
    /// Level against the strongest partial's below which there is none: -50 dB.
    private static var quiet: Float { @_noLocks get { 16.6 } }

    /// A list of none.
    public init() {
        transform = RealTransform(size: LowBand.points)
        func places(_ count: Int) -> UnsafeMutablePointer<Float> {
            let places = UnsafeMutablePointer<Float>.allocate(capacity: count)
            places.initialize(repeating: 0, count: count)
            return places
        }
        window = places(LowBand.points)
        for point in 0..<LowBand.points {
            let phase = 2 * Double.pi * (Double(point) + 0.5) / Double(LowBand.points)
            window[point] = Float(1 - rt_cos(phase))
        }
        points = places(LowBand.points)
        let room = transform.bins + 8
        spectrum = SplitSpectrum(real: places(room), imaginary: places(room))
        power = places(room)
        logarithms = places(room)
        frequencies = places(PartialList.bins / 2)
        levels = places(PartialList.bins / 2)
    }

    /// Frees its memory.
    public func deallocate() {
        transform.deallocate()
        window.deallocate()
        points.deallocate()
        spectrum.real.deallocate()
        spectrum.imaginary.deallocate()
        power.deallocate()
        logarithms.deallocate()
        frequencies.deallocate()
        levels.deallocate()
    }

    /// Forgets what was heard.
    @_noLocks
    public mutating func clear() {
        count = 0
        rt_clear(power, Int64(PartialList.bins))
    }

    /// Takes in a channel.
    @_noLocks
    public func hear(_ band: LowBand) {
        band.apply(window, to: points)
        transform.forward(points, real: spectrum.real, imaginary: spectrum.imaginary)
        spectrum.addPower(to: power, count: PartialList.bins)
    }

    @_noLocks
    private func writeLogarithms() {
        for bin in stride(from: 0, to: PartialList.bins, by: 4) {
            // Nothing has no logarithm.
            rt_store(logarithms + bin, rt_lanes_log2(rt_load(power + bin) + 1e-12))
        }
    }

    /// Finds the partials of what was heard, and forgets that.
    @_noLocks
    public mutating func find() {
        count = 0
        writeLogarithms()
        rt_clear(power, Int64(PartialList.bins))
        var strongest = logarithms[0]
        for bin in 1..<PartialList.bins { strongest = max(strongest, logarithms[bin]) }
        let least = strongest - PartialList.quiet
        for bin in 2..<PartialList.bins - 1 where logarithms[bin] > least {
            let (before, here, after) = (
                logarithms[bin - 1], logarithms[bin], logarithms[bin + 1]
            )
            guard here > before, here >= after else { continue }
            // The top of the parabola through the three.
            let off = 0.5 * (before - after) / (before - 2 * here + after)
            frequencies[count] = (Float(bin) + off) / PartialList.binsPerBin
            levels[count] = here
            count += 1
        }
    }
}
