internal import CRealtime
internal import Realtime

/// A low-pass and decimator that leaves about 12,000 samples per second at every sample rate; at
/// 12 kHz, its pass band ends at 4.7 kHz.
struct SampleThinner: ~Copyable {
    private let taps: Buffer<Float>
    /// The latest frames, stored twice so that they are consecutive from any index.
    private let line: Buffer<Float>
    private let tapCount: Int
    private let factor: Int
    /// The index of the next frame in `line`.
    private var lineIndex = 0
    private var phase = 0
    /// Samples per second.
    let samplesPerSecond: Double

    /// The largest accepted magnitude; larger or non-finite frames count as silence.
    private static var maximumMagnitude: Float { @_noLocks get { 1e4 } }
    /// The cutoff in cycles per sample; aliases stay above all measured partials.
    private static var cutoff: Double { @_noLocks get { 0.48 } }

    init(sampleRate: Double) {
        factor = max(1, Int(sampleRate / 12_000 + 0.5))
        samplesPerSecond = sampleRate / Double(factor)
        tapCount = 24 * factor
        taps = Buffer(count: tapCount, repeating: 0)
        line = Buffer(count: 2 * tapCount, repeating: 0)
        writeTaps()
    }

    @_noLocks
    mutating func reset() {
        rt_clear(line.start, Int64(2 * tapCount))
        lineIndex = 0
        phase = 0
    }

    /// Writes a sinc under a Blackman window, with a sum of 1.
    private func writeTaps() {
        var sum = 0.0
        for index in 0..<tapCount {
            let distance = Double(index) - Double(tapCount - 1) / 2
            let angle = 2 * Double.pi * SampleThinner.cutoff / Double(factor) * distance
            let sinc = distance == 0 ? 1 : rt_sin(angle) / angle
            let turn = 2 * Double.pi * (Double(index) + 0.5) / Double(tapCount)
            let window = 0.42 - 0.5 * rt_cos(turn) + 0.08 * rt_cos(2 * turn)
            taps[index] = Float(sinc * window)
            sum += sinc * window
        }
        for index in 0..<tapCount { taps[index] /= Float(sum) }
    }

    /// Adds one input frame and returns whether a sample is due.
    @_noLocks @inline(__always)
    mutating func push(_ frame: Float) -> Bool {
        let sound = abs(frame) <= SampleThinner.maximumMagnitude ? frame : 0
        line[lineIndex] = sound
        line[lineIndex + tapCount] = sound
        lineIndex = lineIndex + 1 == tapCount ? 0 : lineIndex + 1
        phase = phase + 1 == factor ? 0 : phase + 1
        return phase == 0
    }

    /// Returns the sample that is due.
    @_noLocks
    func sample() -> Float {
        let frames = UnsafeRawPointer(line.start + lineIndex)
        let weights = UnsafeRawPointer(taps.start)
        var sum = SIMD4<Float>.zero
        for offset in stride(from: 0, to: 4 * tapCount, by: 16) {
            sum +=
                frames.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
                * weights.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
        }
        return sum.sum()
    }
}
