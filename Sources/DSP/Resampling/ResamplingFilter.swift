/// How long the sinc of a resampler is, and where its band ends: chosen by measurement, see docs/resampler.md.
struct ResamplingFilter {
    private let highestStep: Double
    /// Frames that an output frame takes part of; a multiple of sixteen.
    let tapCount: Int

    /// Weights that a table may have: with the sound of a channel, it stays below 0.4 MB.
    private static let weightCount = 98_304

    init(highestStep: Double) {
        self.highestStep = highestStep
        // Down, the band ends a little earlier, and more steeply, so that nothing folds; up, there is room above it.
        let taps = highestStep > 1 ? 112 * highestStep : 96
        tapCount = Int((taps / 16).rounded(.up)) * 16
    }

    /// Whether a table of so many rows is within bounds.
    func hasRoom(forRows count: Int) -> Bool { count * tapCount <= Self.weightCount }

    /// The filter with a table of so many places between two frames; nil for as many as there is room for.
    func interpolator(phaseCount: Int?) -> SincInterpolator {
        let isDown = highestStep > 1
        return SincInterpolator(
            tapCount: tapCount, phaseCount: phaseCount ?? max(2, Self.weightCount / tapCount),
            bandShare: isDown ? 0.95 / highestStep : 1, beta: isDown ? 12.5 : 13)
    }
}
