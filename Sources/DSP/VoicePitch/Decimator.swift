internal import CRealtime
internal import Realtime

/// A low-pass at 3 kHz that keeps one sample of every `scale.factor` frames.
struct Decimator: ~Copyable {
    private let taps: Buffer<Float>
    private let line: Buffer<Float>
    private let tapCount: Int
    private let scale: TrackerScale

    init(scale: TrackerScale, sampleRate: Double) {
        self.scale = scale
        tapCount = max(36, 8 * scale.factor + 4)
        taps = Buffer(count: tapCount, repeating: 0)
        line = Buffer(count: tapCount + scale.stepFrames, repeating: 0)
        writeTaps(cutoff: 3000 / sampleRate)
    }

    /// The frames of the next step, which the caller writes here; the frame before them is the last
    /// of the previous step.
    var frames: UnsafeMutablePointer<Float> { @_noLocks get { line.start + tapCount } }

    @_noLocks
    func reset() { rt_clear(line.start, Int64(line.count)) }

    /// Writes a sinc under a Hamming window, 33 taps at 48 kHz, with a sum of 1.
    ///
    /// - Parameter cutoff: The cutoff frequency in cycles per frame.
    private func writeTaps(cutoff: Double) {
        let reach = max(16, 4 * scale.factor)
        var sum = 0.0
        for index in 0..<tapCount {
            let distance = Double(index - (tapCount - 1 - reach))
            let angle = 2 * Double.pi * cutoff * distance
            let sinc = distance == 0 ? 1 : rt_sin(angle) / angle
            let window = 0.54 + 0.46 * rt_cos(Double.pi * distance / Double(reach))
            let tap = abs(distance) <= Double(reach) ? sinc * window : 0
            taps[index] = Float(tap)
            sum += tap
        }
        for index in 0..<tapCount { taps[index] /= Float(sum) }
    }

    /// Writes the samples of the step, newest first.
    @_noLocks
    func write(into samples: UnsafeMutablePointer<Float>) {
        let last = TrackerScale.stepSamples - 1
        for sample in 0...last {
            // The newest frame of a sample's filter is the last of the frames that the sample
            // represents.
            let first = line.start + (sample + 1) * scale.factor
            samples[last - sample] = product(first)
        }
    }

    @_noLocks
    private func product(_ first: UnsafePointer<Float>) -> Float {
        let from = UnsafeRawPointer(first)
        let weights = UnsafeRawPointer(taps.start)
        var sum = SIMD4<Float>.zero
        var offset = 0
        while offset < 4 * tapCount {
            sum +=
                from.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
                * weights.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
            offset += 16
        }
        return sum.sum()
    }

    /// Keeps the frames of this step that the next step needs.
    @_noLocks
    func advance() {
        let line = line.start
        for index in 0..<tapCount { line[index] = line[index + scale.stepFrames] }
    }
}
