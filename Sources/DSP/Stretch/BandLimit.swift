internal import CRealtime

/// Takes away what would fold when the sound is read faster: all above a share of Nyquist.
///
/// - Parameters:
///   - spectrum: Of the sound.
///   - share: Of Nyquist, up to which frequencies stay.
///   - bins: Frequencies of the spectrum.
///   - hasSlope: Whether it gets weaker towards that frequency; otherwise it is cut off there.
@_noLocks
func limitBand(of spectrum: RTComplexArray, share: Double, bins: Int, hasSlope: Bool) {
    guard share < 1 else { return }
    // A cut lies a little above the end of a slope, so that nothing of what is left by one is passed by the other.
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
