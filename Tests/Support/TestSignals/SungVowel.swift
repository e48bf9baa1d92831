internal import Glibc

/// A vowel: harmonics up to 8 kHz that fall by 6 dB per octave, with four formants.
public struct SungVowel: Sendable {
    /// The formants and their widths in Hz.
    public static let formants: [(hertz: Double, width: Double)] = [
        (650, 90), (1150, 110), (2600, 150), (3500, 200),
    ]

    /// Creates a vowel.
    public init() {}

    /// Returns the amplitude of a partial at a frequency in Hz, with the formants scaled by a
    /// ratio.
    public func amplitude(at hertz: Double, formantRatio: Double = 1) -> Double {
        let f = hertz / formantRatio
        return SungVowel.formants.reduce(100 / f) { gain, formant in
            let square = formant.hertz * formant.hertz
            return gain * square / hypot(square - f * f, f * formant.width)
        }
    }

    /// Returns the vowel at a constant or gliding pitch, with an optional vibrato at 5.5 Hz.
    ///
    /// `vibratoSemitones` is the deviation to either side.
    ///
    /// - Returns: The sound, at most 0.5, and the pitch in Hz at each frame.
    public func sung(
        from first: Double, to last: Double? = nil, vibratoSemitones: Double = 0, frames: Int,
        sampleRate: Double
    ) -> (sound: [Float], hertz: [Double]) {
        let octaves = log2((last ?? first) / first)
        let hertz = (0..<frames).map { frame in
            let swing = sin(2 * .pi * 5.5 * Double(frame) / sampleRate) * vibratoSemitones / 12
            return first * exp2(octaves * Double(frame) / Double(frames) + swing)
        }
        return (sung(at: hertz, sampleRate: sampleRate), hertz)
    }

    /// Returns the vowel, at most 0.5, with a given pitch in Hz at each frame.
    public func sung(at hertz: [Double], sampleRate: Double) -> [Float] {
        let lowest = hertz.min() ?? 100
        let top = min(8000, 0.45 * sampleRate)
        var sum = [Double](repeating: 0, count: hertz.count)
        for harmonic in 1...max(1, Int(top / lowest)) {
            var phase = 0.0
            for frame in hertz.indices {
                let f = Double(harmonic) * hertz[frame]
                phase += 2 * .pi * f / sampleRate
                if f < top { sum[frame] += amplitude(at: f) * sin(phase) }
            }
        }
        let peak = sum.map(abs).max() ?? 1
        return sum.map { Float(0.5 * $0 / peak) }
    }
}

/// Returns the similarity of a signal to itself `lagFrames` later; 1 for a perfect repetition.
public func selfLikeness(_ part: ArraySlice<Float>, lagFrames: Int) -> Double {
    var (product, energy) = (0.0, 1e-12)
    for (a, b) in zip(part, part.dropFirst(lagFrames)) {
        product += Double(a) * Double(b)
        energy += 0.5 * (Double(a) * Double(a) + Double(b) * Double(b))
    }
    return product / energy
}

/// The periodicity of a signal, at least three periods long, at its expected period and elsewhere.
public struct Repetition {
    /// The similarity at the period, within a twentieth.
    public let atPeriod: Double
    /// The similarity at two periods; if it is greater, the sound is heard an octave lower.
    public let atTwoPeriods: Double
    /// The largest similarity below four fifths of a period; if it is equal, the sound is heard
    /// higher.
    public let atLess: Double

    /// Measures the largest similarity within each range, at 48 kHz.
    public init(of signal: [Float], from first: Int, hertz: Double) {
        let period = 48_000 / hertz
        let part = signal[first..<min(first + Int(3 * period) + 40, signal.count)]
        func most(_ range: ClosedRange<Double>) -> Double {
            let lags = Int(range.lowerBound * period)...Int(range.upperBound * period) + 1
            return lags.map { selfLikeness(part, lagFrames: $0) }.max() ?? 0
        }
        atPeriod = most(0.95...1.05)
        atTwoPeriods = most(1.9...2.1)
        atLess = most(0.45...0.8)
    }
}
