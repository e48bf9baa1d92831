internal import Glibc

/// Sines of known frequencies in a signal, fitted by least squares and thus free of window leakage.
public struct Partials {
    /// The peak amplitude of each sine, in the order of the frequencies.
    public let amplitudes: [Double]
    /// The RMS of everything else.
    public let residual: Double

    /// Fits sines of different frequencies to a signal.
    public init(of signal: some Collection<Float>, at hertz: [Double], sampleRate: Double) {
        let samples = signal.map(Double.init)
        let columns = hertz.flatMap { frequency in
            let step = 2 * Double.pi * frequency / sampleRate
            return [
                samples.indices.map { cos(step * Double($0)) },
                samples.indices.map { sin(step * Double($0)) },
            ]
        }
        let weights = solveLeastSquares(columns, samples)
        amplitudes = hertz.indices.map { hypot(weights[2 * $0], weights[2 * $0 + 1]) }
        var rest = samples
        for (weight, column) in zip(weights, columns) {
            for index in rest.indices { rest[index] -= weight * column[index] }
        }
        residual = (rest.reduce(0) { $0 + $1 * $1 } / Double(max(1, rest.count))).squareRoot()
    }

    /// Returns the amplitude of one of the sines in dB.
    public func decibels(_ index: Int) -> Double { levelDecibels(amplitudes[index]) }
}

/// Returns a level in dB, at least -300.
public func levelDecibels(_ amplitude: Double) -> Double { 20 * log10(max(amplitude, 1e-15)) }

/// Returns the root mean square.
public func rms(_ signal: some Collection<Float>) -> Double {
    let power = signal.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, signal.count))
    return power.squareRoot()
}

/// Returns the amplitude of a signal's spectrum at a frequency; for an impulse response, the gain.
public func spectrumAmplitude(_ signal: [Float], at hertz: Double, sampleRate: Double) -> Double {
    let step = 2 * Double.pi * hertz / sampleRate
    var (real, imaginary) = (0.0, 0.0)
    for (frame, sample) in signal.enumerated() where sample != 0 {
        real += Double(sample) * cos(step * Double(frame))
        imaginary += Double(sample) * sin(step * Double(frame))
    }
    return hypot(real, imaginary)
}

/// Returns the centre of a signal's energy, in frames.
public func energyCentre(_ signal: [Float]) -> Double {
    var (moment, energy) = (0.0, 0.0)
    for (frame, sample) in signal.enumerated() {
        moment += Double(frame) * Double(sample) * Double(sample)
        energy += Double(sample) * Double(sample)
    }
    return moment / energy
}

/// Returns the largest difference between neighbouring samples.
public func largestStep(_ signal: [Float]) -> Float {
    zip(signal, signal.dropFirst()).map { abs($1 - $0) }.max() ?? 0
}

/// Returns the weights of the columns whose sum is nearest to the target, from the normal
/// equations.
private func solveLeastSquares(_ columns: [[Double]], _ target: [Double]) -> [Double] {
    var rows = columns.map { column in
        (columns + [target]).map { other in
            column.withUnsafeBufferPointer { a in
                other.withUnsafeBufferPointer { b in
                    a.indices.reduce(0.0) { $0 + a[$1] * b[$1] }
                }
            }
        }
    }
    for pivot in rows.indices {
        let best = rows.indices[pivot...].max { abs(rows[$0][pivot]) < abs(rows[$1][pivot]) }
        rows.swapAt(pivot, best ?? pivot)
        for row in rows.indices where row != pivot {
            let factor = rows[row][pivot] / rows[pivot][pivot]
            for column in pivot...columns.count {
                rows[row][column] -= factor * rows[pivot][column]
            }
        }
    }
    return rows.indices.map { (rows[$0].last ?? 0) / rows[$0][$0] }
}
