internal import Glibc

/// Returns the deviation of a signal's pitch from an expected one.
///
/// - Parameters:
///   - signal: The signal, at 48 kHz.
///   - frame: The middle of the part that is measured: three periods, at least 20 ms.
///   - hertz: The expected pitch.
/// - Returns: The deviation in cents, within two semitones; `nil` if the signal has no such pitch.
public func pitchDeviation(_ signal: [Float], at frame: Int, from hertz: Double) -> Double? {
    let period = 48_000 / hertz
    let length = Int(max(1.5 * period, 480))
    let lags = Array(Int(0.88 * period)...Int(1.13 * period) + 1)
    let likeness = lags.map { lag in
        let first = frame - (length + lag) / 2
        return selfLikeness(signal[first..<first + length + lag], lagFrames: lag, over: length)
    }
    guard let best = likeness.indices.max(by: { likeness[$0] < likeness[$1] }),
        best > 0, best < lags.count - 1, likeness[best] > 0.6
    else { return nil }
    let (before, here, after) = (likeness[best - 1], likeness[best], likeness[best + 1])
    let found = Double(lags[best]) + 0.5 * (before - after) / (before - 2 * here + after)
    return 1200 * log2(period / found)
}

/// Returns the similarity of the first `count` frames of a signal to those `lagFrames` later,
/// independent of their levels.
private func selfLikeness(_ part: ArraySlice<Float>, lagFrames: Int, over count: Int) -> Double {
    var (product, energy) = (0.0, 1e-12)
    for (a, b) in zip(part.prefix(count), part.dropFirst(lagFrames).prefix(count)) {
        product += Double(a) * Double(b)
        energy += 0.5 * (Double(a) * Double(a) + Double(b) * Double(b))
    }
    return product / energy
}
