internal import CRealtime
internal import DSP

/// Interpolators for grains that play faster than the input.
///
/// Playing a grain faster moves all its frequencies up. An interpolator attenuates those that would
/// pass Nyquist by at least 95 dB; otherwise their mirror images would be heard below it.
struct FastReaders {
    private let readers: InlineArray<12, SincInterpolator>

    /// The number of interpolators per octave of speed.
    private static var readersPerOctave: Double { @_noLocks get { 6 } }
    /// The shape of the Kaiser window, which attenuates by 96 dB.
    private static let beta = 9.7

    // SAFETY: written once, before any interpolator can refer to it, and never freed.
    /// One table per interpolator for all voices: they are slow to make and the same for each.
    nonisolated(unsafe) private static let tables = InlineArray<12, SincTable> { index in
        let fastest = rt_exp(0.693_147_180_559_945_3 * Double(index + 1) / readersPerOctave)
        // The band narrows as the speed rises, and so must its edge.
        let tapCount = max(64, Int((2 * fastest).rounded(.up)) * 16)
        // The cutoff is in the middle of the edge, whose width follows from the window.
        let edge = 0.193 * 64 / Double(tapCount)
        return SincTable(
            tapCount: tapCount, phaseCount: 128, bandShare: 1 / fastest - edge / 2, beta: beta)
    }

    init() {
        readers = InlineArray { index in FastReaders.tables[index].interpolator }
    }

    /// Returns the interpolator for a speed; `nil` for speeds up to 1, which alias nothing.
    @_noLocks
    func reader(speed: Double) -> SincInterpolator? {
        guard speed > 1 else { return nil }
        let octaves = rt_log(speed) * 1.442_695_040_888_963_4
        let index = Int(rt_ceil(octaves * FastReaders.readersPerOctave - 1e-9)) - 1
        return readers[min(max(index, 0), readers.count - 1)]
    }
}
