internal import CRealtime

/// A low-pass at 4.7 of 12 kHz that keeps one sample of several, so that some 12,000 a second are left at every rate.
struct SampleThinner: BitwiseCopyable {
    // SAFETY: the places live from `init` through `deallocate`, which the owner calls at its own end.
    private let taps: UnsafeMutablePointer<Float>
    /// The latest frames, twice over, so that they lie in a row from any place.
    private let line: UnsafeMutablePointer<Float>
    private let tapCount: Int
    private let factor: Int
    private var place = 0
    private var phase = 0
    /// Samples a second.
    let samplesPerSecond: Double

    /// The largest magnitude that is let in: what is beyond, or not finite, counts as silence.
    private static var mostMagnitude: Float { @_noLocks get { 1e4 } }
    /// The cutoff in cycles a sample: what folds over lies above all partials that are looked at.
    private static var cutoff: Double { @_noLocks get { 0.48 } }

    init(sampleRate: Double) {
        factor = max(1, Int(sampleRate / 12_000 + 0.5))
        samplesPerSecond = sampleRate / Double(factor)
        tapCount = 24 * factor
        taps = .allocate(capacity: tapCount)
        line = .allocate(capacity: 2 * tapCount)
        line.initialize(repeating: 0, count: 2 * tapCount)
        writeTaps()
    }

    func deallocate() {
        taps.deallocate()
        line.deallocate()
    }

    @_noLocks
    mutating func reset() {
        rt_clear(line, Int64(2 * tapCount))
        place = 0
        phase = 0
    }

    /// A sinc under a Blackman window, whose sum is 1.
    private func writeTaps() {
        var sum = 0.0
        for index in 0..<tapCount {
            let distance = Double(index) - Double(tapCount - 1) / 2
            let angle = 2 * Double.pi * SampleThinner.cutoff / Double(factor) * distance
            let sinc = distance == 0 ? 1 : rt_sin(angle) / angle
            let turn = 2 * Double.pi * (Double(index) + 0.5) / Double(tapCount)
            let window = 0.42 - 0.5 * rt_cos(turn) + 0.08 * rt_cos(2 * turn)
            (taps + index).initialize(to: Float(sinc * window))
            sum += sinc * window
        }
        for index in 0..<tapCount { taps[index] /= Float(sum) }
    }

    /// Takes a frame; whether a sample is due.
    @_noLocks @inline(__always)
    mutating func take(_ frame: Float) -> Bool {
        let sound = abs(frame) <= SampleThinner.mostMagnitude ? frame : 0
        line[place] = sound
        line[place + tapCount] = sound
        place = place + 1 == tapCount ? 0 : place + 1
        phase = phase + 1 == factor ? 0 : phase + 1
        return phase == 0
    }

    /// The sample that is due.
    @_noLocks
    func sample() -> Float {
        let frames = UnsafeRawPointer(line + place)
        let weights = UnsafeRawPointer(taps)
        var sum = SIMD4<Float>.zero
        for offset in stride(from: 0, to: 4 * tapCount, by: 16) {
            sum +=
                frames.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
                * weights.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
        }
        return sum.sum()
    }
}
