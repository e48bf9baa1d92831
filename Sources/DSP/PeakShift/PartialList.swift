internal import CRealtime
internal import Realtime

/// The partials of the low band, separated by a longer window than the transform's; updated from
/// time to time.
///
/// A peak of the transform that contains two partials contains two of these.
public struct PartialList: ~Copyable {
    private let transform: RealTransform
    private let window: Buffer<Float>
    private let points: Buffer<Float>
    private let spectrum: ComplexBuffer
    /// The power, summed over all channels.
    private let power: Buffer<Float>
    /// Base-2 logarithms of the power.
    private let logarithms: Buffer<Float>
    /// The frequencies of the partials in bins of the transform, ascending.
    let frequencies: Buffer<Float>
    /// Base-2 logarithms of the partials' powers.
    let levels: Buffer<Float>
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
        window = Buffer(count: LowBand.points) { point in
            let phase = 2 * Double.pi * (Double(point) + 0.5) / Double(LowBand.points)
            return Float(1 - rt_cos(phase))
        }
        points = Buffer(count: LowBand.points, repeating: 0)
        let room = transform.bins + 8
        spectrum = ComplexBuffer(count: room)
        power = Buffer(count: room, repeating: 0)
        logarithms = Buffer(count: room, repeating: 0)
        frequencies = Buffer(count: PartialList.bins / 2, repeating: 0)
        levels = Buffer(count: PartialList.bins / 2, repeating: 0)
    }

    /// Discards the partials and the measured power.
    @_noLocks
    public mutating func clear() {
        count = 0
        rt_clear(power.start, Int64(PartialList.bins))
    }

    /// Adds a channel's power.
    @_noLocks
    public func measure(_ band: borrowing LowBand) {
        band.apply(window.start, to: points.start)
        transform.forward(points.start, real: spectrum.real, imaginary: spectrum.imaginary)
        spectrum.spectrum.addPower(to: power.start, count: PartialList.bins)
    }

    @_noLocks
    private func writeLogarithms() {
        let (power, logarithms) = (power.start, logarithms.start)
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
        rt_clear(power.start, Int64(PartialList.bins))
        let logarithms = logarithms.start
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
