internal import CRealtime

/// Removes frequencies above a share of Nyquist, which would alias when the sound is read faster.
///
/// - Parameters:
///   - spectrum: The spectrum of the sound.
///   - share: The share of Nyquist up to which frequencies are kept.
///   - bins: The number of frequencies in the spectrum.
///   - hasSlope: Whether to fade out towards that frequency; otherwise the spectrum is cut off
///     there.
@_noLocks
func limitBand(of spectrum: RTComplexArray, share: Double, bins: Int, hasSlope: Bool) {
    guard share < 1 else { return }
    // A cut is slightly above the end of a slope: the slope must remove all frequencies that the
    // cut leaves in the vocoder's input.
    let end = min(Int(share * Double(bins - 1)) + (hasSlope ? 0 : 3), bins)
    let start = hasSlope ? end * 15 / 16 : end
    for bin in start..<end {
        let gain = Float(end - bin) / Float(end - start)
        spectrum.real[bin] *= gain
        spectrum.imaginary[bin] *= gain
    }
    rt_clear(spectrum.real + end, Int64(bins - end))
    rt_clear(spectrum.imaginary + end, Int64(bins - end))
}
