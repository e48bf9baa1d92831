import DSP
import Glibc
import Testing
import TestSignals

/// Returns the two lanes' impulse responses, with the second lane's input delayed by one frame as
/// required.
private func impulseResponses(sectionCount: Int, sampleRate: Double, frames: Int) -> (
    [Double], [Double]
) {
    let pair = AllpassPair(sectionCount: sectionCount, sampleRate: sampleRate)
    var memory = [SIMD2<Double>](repeating: .zero, count: pair.memorySize)
    var signal = [SIMD2<Double>](repeating: .zero, count: frames)
    signal[0].x = 1
    signal[1].y = 1
    signal.withUnsafeMutableBufferPointer { signal in
        guard let base = signal.baseAddress else { return }
        // The blocks have odd and even lengths, because the memory changes sides after an odd
        // block.
        pair.process(base, count: 1, memory: &memory)
        pair.process(base + 1, count: 7, memory: &memory)
        pair.process(base + 8, count: frames - 8, memory: &memory)
    }
    return (signal.map(\.x), signal.map(\.y))
}

@Suite("Allpass pair")
struct AllpassPairTests {
    @Test(
        "passes every frequency and shifts one lane by 90 degrees against the other",
        arguments: [(8, 44_100.0, -90.0), (8, 48_000, -90), (12, 48_000, -137), (12, 96_000, -124)])
    func quadrature(_ sectionCount: Int, _ sampleRate: Double, _ rejection: Double) {
        let (even, odd) = impulseResponses(
            sectionCount: sectionCount, sampleRate: sampleRate, frames: 200_000)
        for hertz in [20, 21.3, 50, 440, 5000, sampleRate / 4, sampleRate / 2 - 30] {
            let (a, b) = (transform(even, hertz / sampleRate), transform(odd, hertz / sampleRate))
            #expect(abs(hypot(a.0, a.1) - 1) < 1e-9)
            #expect(abs(hypot(b.0, b.1) - 1) < 1e-9)
            // The wrong side of the spectrum of a + ib, relative to the right side.
            let wrong = min(hypot(a.0 - b.1, a.1 + b.0), hypot(a.0 + b.1, a.1 - b.0)) / 2
            #expect(levelDecibels(wrong) < rejection, "at \(hertz) Hz")
        }
    }

    @Test("delays a lane by its reported mean delay", arguments: [8, 12, 16])
    func delay(_ sectionCount: Int) {
        let pair = AllpassPair(sectionCount: sectionCount, sampleRate: 48_000)
        let (even, _) = impulseResponses(
            sectionCount: sectionCount, sampleRate: 48_000, frames: 200_000)
        let moment = even.enumerated().reduce(0) {
            $0 + Double($1.offset) * $1.element * $1.element
        }
        let energy = even.reduce(0) { $0 + $1 * $1 }
        #expect(abs(moment / energy - Double(pair.meanDelayFrames)) < 1e-6)
    }

    /// Returns the spectrum of a signal at a frequency in cycles per frame.
    private func transform(_ signal: [Double], _ turnsPerFrame: Double) -> (Double, Double) {
        var sum = (0.0, 0.0)
        for (frame, sample) in signal.enumerated() {
            let angle = -2 * Double.pi * turnsPerFrame * Double(frame)
            sum.0 += sample * cos(angle)
            sum.1 += sample * sin(angle)
        }
        return sum
    }
}
