internal import CRealtime

/// The partials of one note, and where its fundamental is.
struct PartialSeries: BitwiseCopyable {
    // SAFETY: the place lives from `init` through `deallocate`, which the owner calls at its own end.
    private let partials: UnsafeMutablePointer<PartialProbe.Partial>
    private let probe = PartialProbe()
    /// A partial's frequency over its number, as the last one had it: strings stretch it upwards.
    private var spacing = 0.0
    private var mostPower = 0.0

    /// Partials that are looked at.
    static var count: Int { @_noLocks get { 8 } }
    /// The highest frequency that is looked at, in radians a sample: 4.5 of 12 kHz.
    private static var highest: Double { @_noLocks get { 0.75 * Double.pi } }
    /// A fundamental of this share of the strongest partial's power speaks for itself.
    private static var leastShare: Double { @_noLocks get { 0.01 } }
    /// A partial of less than this share is none.
    private static var noiseShare: Double { @_noLocks get { 1e-4 } }
    /// A partial that lies farther from where it should be, as a share of its frequency, belongs to something else.
    private static var mostStretch: Double { @_noLocks get { 0.02 } }

    init() {
        partials = .allocate(capacity: PartialSeries.count)
        partials.initialize(
            repeating: PartialProbe.Partial(frequency: 0, power: 0), count: PartialSeries.count)
    }

    func deallocate() {
        partials.deallocate()
        probe.deallocate()
    }

    /// Begins a note.
    ///
    /// - Parameters:
    ///   - frequency: Where its fundamental is, nearly, in radians a sample.
    ///   - power: The sound's mean square: nothing far below it is a partial.
    @_noLocks
    mutating func begin(near frequency: Double, power: Double) {
        spacing = frequency
        mostPower = probe.power(meanSquare: power) / 8
        for index in 0..<PartialSeries.count { partials[index].power = 0 }
    }

    /// Measures one partial of the samples, 0 for the fundamental; one after the other.
    @_noLocks
    mutating func measure(_ index: Int, in samples: UnsafePointer<Float>) {
        let number = Double(index + 1)
        let expected = number * spacing
        guard expected < PartialSeries.highest else { return }
        let partial = probe.partial(near: expected, in: samples)
        guard abs(partial.frequency - expected) < PartialSeries.mostStretch * expected,
            partial.power > PartialSeries.noiseShare * mostPower
        else { return }
        partials[index] = partial
        mostPower = max(mostPower, partial.power)
        if partial.power > PartialSeries.leastShare * mostPower {
            spacing = partial.frequency / number
        }
    }

    /// The fundamental in radians a sample; what the note began with where there is no partial at all.
    @_noLocks
    func fundamental() -> Double {
        partials[0].power >= PartialSeries.leastShare * mostPower
            ? partials[0].frequency : extrapolated()
    }

    /// Where the partials' spacing, `a + b (n² - 1)` as on a stiff string, comes to at the first.
    ///
    /// By least squares, each partial as heavy as it is exact, and the stretch only as far as the partials ask for it.
    @_noLocks
    private func extrapolated() -> Double {
        var (weights, x, xx, y, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for index in 0..<PartialSeries.count {
            let partial = partials[index]
            guard partial.power > PartialSeries.noiseShare * mostPower else { continue }
            let number = Double(index + 1)
            let weight = number * number * partial.power
            let (place, ratio) = (number * number - 1, partial.frequency / number)
            weights += weight
            x += weight * place
            xx += weight * place * place
            y += weight * ratio
            xy += weight * place * ratio
        }
        let rest = 0.01 * weights
        let spread = (xx + rest) * weights - x * x
        return spread > 0 ? ((xx + rest) * y - x * xy) / spread : spacing
    }
}
