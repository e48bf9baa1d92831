/// The length of a resampler's sinc and the end of its band, chosen by measurement: see
/// docs/measurements/resampler.md.
struct ResamplingFilter {
    private let highestStep: Double
    /// The number of frames that contribute to an output frame, a multiple of sixteen.
    let tapCount: Int

    /// The maximum number of weights in a table: together with the sound of a channel, it stays
    /// below 0.4 MB.
    private static let weightCount = 98_304

    init(highestStep: Double) {
        self.highestStep = highestStep
        // Downwards, the band ends slightly earlier and more steeply, so that nothing aliases;
        // upwards, there is room above the band.
        let taps = highestStep > 1 ? 112 * highestStep : 96
        tapCount = Int((taps / 16).rounded(.up)) * 16
    }

    /// Returns whether a table of `count` rows stays within the limit.
    func hasRoom(forRows count: Int) -> Bool { count * tapCount <= Self.weightCount }

    /// Returns the table with `phaseCount` positions between two frames, or as many as there is
    /// room for if it is `nil`.
    func table(phaseCount: Int?) -> SincTable {
        let isDown = highestStep > 1
        return SincTable(
            tapCount: tapCount, phaseCount: phaseCount ?? max(2, Self.weightCount / tapCount),
            bandShare: isDown ? 0.95 / highestStep : 1, beta: isDown ? 12.5 : 13)
    }
}
