internal import CRealtime

/// The partials of the low band, separated by a longer window than the transform's; updated from
/// time to time.
///
/// A peak of the transform that contains two partials contains two of these.
public struct PartialList: BitwiseCopyable {
    // SAFETY: the buffers are allocated in `init` and freed only in `deallocate`, which the owner
    // calls last.
    private let transform: RealTransform
    private let window: UnsafeMutablePointer<Float>
    private let points: UnsafeMutablePointer<Float>
    private let spectrum: SplitSpectrum
    /// The power, summed over all channels.
    private let power: UnsafeMutablePointer<Float>
    /// Base-2 logarithms of the power.
    private let logarithms: UnsafeMutablePointer<Float>
    /// The frequencies of the partials in bins of the transform, ascending.
    let frequencies: UnsafeMutablePointer<Float>
    /// Base-2 logarithms of the partials' powers.
    let levels: UnsafeMutablePointer<Float>
    /// The number of partials.
    public private(set) var count = 0

    /// The bin up to which partials are found: 2.4 kHz at 48 kHz.
    ///
    /// Above it, the band contains aliases.
    private static var bins: Int { @_noLocks get { 408 } }
    /// The number of these bins per bin of the transform.
    private static var binsPerBin: Float { @_noLocks get { 2 } }
    /// The level, relative to the strongest partial, below which there is no partial: -50 dB.
    private static var quiet: Float { @_noLocks get { 16.6 } }

    /// Creates an empty list.
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

    /// Discards the partials and the measured power.
    @_noLocks
    public mutating func clear() {
        count = 0
        rt_clear(power, Int64(PartialList.bins))
    }

    /// Adds a channel's power.
    @_noLocks
    public func measure(_ band: LowBand) {
        band.apply(window, to: points)
        transform.forward(points, real: spectrum.real, imaginary: spectrum.imaginary)
        spectrum.addPower(to: power, count: PartialList.bins)
    }

    @_noLocks
    private func writeLogarithms() {
        for bin in stride(from: 0, to: PartialList.bins, by: 4) {
            // The offset avoids the logarithm of 0.
            rt_store(logarithms + bin, rt_lanes_log2(rt_load(power + bin) + 1e-12))
        }
    }

    /// Finds the partials in the power of all channels, then clears the power.
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
            // The vertex of the parabola through the three.
            let off = 0.5 * (before - after) / (before - 2 * here + after)
            frequencies[count] = (Float(bin) + off) / PartialList.binsPerBin
            levels[count] = here
            count += 1
        }
    }
}
