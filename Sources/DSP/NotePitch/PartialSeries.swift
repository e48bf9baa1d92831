internal import CRealtime
internal import Realtime

/// The partials of one note and its fundamental.
struct PartialSeries: ~Copyable {
    private let partials: Buffer<PartialProbe.Partial>
    private let probe = PartialProbe()
    /// The frequency of the last strong partial divided by its number: stiff strings stretch the
    /// partials upwards.
    private var spacing = 0.0
    private var maximumPower = 0.0

    /// The number of partials that are measured.
    static var count: Int { @_noLocks get { 8 } }
    /// The highest frequency that is measured, in radians per sample: 4.5 kHz at 12 kHz.
    private static var highest: Double { @_noLocks get { 0.75 * Double.pi } }
    /// The share of the strongest partial's power from which the fundamental's own frequency is
    /// used.
    private static var minimumShare: Double { @_noLocks get { 0.01 } }
    /// The share of the strongest partial's power below which there is no partial.
    private static var noiseShare: Double { @_noLocks get { 1e-4 } }
    /// The deviation, as a share of the expected frequency, beyond which a partial belongs to
    /// another sound.
    private static var maximumStretch: Double { @_noLocks get { 0.02 } }

    init() {
        partials = Buffer(
            count: PartialSeries.count, repeating: PartialProbe.Partial(frequency: 0, power: 0))
    }

    /// Begins a note.
    ///
    /// - Parameters:
    ///   - frequency: The approximate fundamental, in radians per sample.
    ///   - power: The mean square of the sound; far weaker measurements are not partials.
    @_noLocks
    mutating func begin(near frequency: Double, power: Double) {
        spacing = frequency
        maximumPower = probe.power(meanSquare: power) / 8
        for index in 0..<PartialSeries.count { partials[index].power = 0 }
    }

    /// Measures one partial of the samples, 0 for the fundamental; call it in ascending order.
    @_noLocks
    mutating func measure(_ index: Int, in samples: UnsafePointer<Float>) {
        let number = Double(index + 1)
        let expected = number * spacing
        guard expected < PartialSeries.highest else { return }
        let partial = probe.partial(near: expected, in: samples)
        guard abs(partial.frequency - expected) < PartialSeries.maximumStretch * expected,
            partial.power > PartialSeries.noiseShare * maximumPower
        else { return }
        partials[index] = partial
        maximumPower = max(maximumPower, partial.power)
        if partial.power > PartialSeries.minimumShare * maximumPower {
            spacing = partial.frequency / number
        }
    }

    /// Returns the fundamental in radians per sample; without any partial, the frequency with which
    /// the note began.
    @_noLocks
    func fundamental() -> Double {
        partials[0].power >= PartialSeries.minimumShare * maximumPower
            ? partials[0].frequency : extrapolated()
    }

    /// Returns the fundamental that follows from the spacing of the partials, `a + b (n² - 1)` as
    /// on a stiff string.
    ///
    /// It is a least-squares fit in which each partial is weighted by its accuracy. The stretch b
    /// is only as large as the partials demand.
    @_noLocks
    private func extrapolated() -> Double {
        var (weights, x, xx, y, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for index in 0..<PartialSeries.count {
            let partial = partials[index]
            guard partial.power > PartialSeries.noiseShare * maximumPower else { continue }
            let number = Double(index + 1)
            let weight = number * number * partial.power
            let (stretch, ratio) = (number * number - 1, partial.frequency / number)
            weights += weight
            x += weight * stretch
            xx += weight * stretch * stretch
            y += weight * ratio
            xy += weight * stretch * ratio
        }
        let rest = 0.01 * weights
        let spread = (xx + rest) * weights - x * x
        return spread > 0 ? ((xx + rest) * y - x * xy) / spread : spacing
    }
}
