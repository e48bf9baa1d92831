internal import DSP
internal import Glibc

/// Returns signals at another speed, as a player would: output frame n corresponds to input frame n
/// · rate.
///
/// - Parameters:
///   - signals: One signal per channel; their lengths are equal.
///   - rate: The speed, above 0.
///   - windowSteps: The longest window, in the steps of `StretchLengths`.
///   - sampleRate: The sample rate in hertz.
/// - Returns: One signal per channel.
public func stretched(
    _ signals: [[Float]], rate: Double, windowSteps: Int = 128, sampleRate: Double = 48_000
) -> [[Float]] {
    let lengths = StretchLengths(windowSteps: windowSteps, sampleRate: sampleRate)
    let frames = signals.first?.count ?? 0
    let ring = filledRing(signals, endFrames: 2 * lengths.transformFrames)
    var engine = StretchEngine(
        channelCount: signals.count, lengths: lengths, ringFrames: ring.capacityFrames)
    let (hop, half) = (lengths.hopFrames, lengths.transformFrames / 2)
    engine.reset(inputFrame: -rate * Double(half))
    let count = Int((Double(frames) / rate).rounded(.up))
    var outputs = signals.map { _ in [Float]() }
    while engine.madeFrames < count + 2 * half {
        engine.plan(advanceFrames: rate * Double(hop), mayAlign: true)
        for _ in 0..<StretchLengths.stageCount {
            engine.prepare(ring)
            engine.advance(ring)
        }
        for channel in outputs.indices {
            let sound = engine.output(channel, from: engine.madeFrames - hop)
            outputs[channel] += UnsafeBufferPointer(start: sound, count: hop)
        }
    }
    return outputs.map { Array($0[(2 * half)..<(2 * half + count)]) }
}

/// Returns a ring that contains whole signals followed by silence.
private func filledRing(_ signals: [[Float]], endFrames: Int) -> CaptureRing {
    let frames = (signals.first?.count ?? 0) + endFrames
    var ring = CaptureRing(channelCount: signals.count, capacityFrames: frames)
    let silence = [Float](repeating: 0, count: endFrames)
    ring.write(signals.flatMap { $0 + silence }, stride: frames, count: frames)
    return ring
}

/// Returns signals transposed and at another speed.
///
/// They are stretched further by the interval's ratio, and then read faster by it.
public func transposed(
    _ signals: [[Float]], rate: Double, semitones: Double, sampleRate: Double = 48_000
) -> [[Float]] {
    let ratio = exp2(semitones / 12)
    let slow = stretched(signals, rate: rate / ratio, sampleRate: sampleRate)
    return ratio == 1 ? slow : slow.map { resampled($0, step: ratio) }
}

/// Returns a signal read at multiples of a step.
private func resampled(_ signal: [Float], step: Double) -> [Float] {
    let table = SincTable(
        tapCount: 128, phaseCount: 1024, bandShare: 0.98 * min(1, 1 / step), beta: 10)
    let interpolator = table.interpolator
    defer { withExtendedLifetime(table) {} }
    let edge = [Float](repeating: 0, count: interpolator.tapCount)
    let padded = edge + signal + edge
    return padded.withUnsafeBufferPointer { samples in
        guard let first = samples.baseAddress else { return [] }
        return (0..<Int(Double(signal.count) / step)).map { index in
            let position = Double(index) * step
            return interpolator.value(
                first + edge.count + Int(position), fraction: position - Double(Int(position)))
        }
    }
}
