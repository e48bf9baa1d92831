import DSP
import Glibc
import Testing
import TestSignals

@Suite("Noise bands")
struct NoiseBandsTests {
    /// The number of hops in two seconds.
    private static let hops = 750
    private static let bins = 1024

    /// Returns whether the bands contain noise after two seconds of amplitudes, whose factors depend
    /// on hop and bin.
    private func findsNoise(
        seed: UInt64 = 1, after: Int = 0, _ factor: (_ hop: Int, _ bin: Int) -> Float
    ) -> Bool {
        var bands = NoiseBands(
            bins: Self.bins, hopFrames: 128, sampleRate: 48_000, channelCount: 1)
        return (0..<Self.hops).contains { hop in
            let uniform = whiteNoise(amplitude: 1, frames: Self.bins, seed: seed + UInt64(hop))
            // Rayleigh distribution.
            let amplitudes = uniform.indices.map { bin in
                factor(hop, bin) * sqrt(-2 * log(max(0.5 * (uniform[bin] + 1), 1e-9)))
            }
            amplitudes.withUnsafeBufferPointer { amplitudes in
                guard let start = amplitudes.baseAddress else { return }
                bands.measure(start, channel: 0)
            }
            bands.settle()
            return hop >= after && bands.isAny
        }
    }

    @Test("finds noise of any level")
    func noise() {
        #expect(findsNoise { _, _ in 1 })
        #expect(findsNoise { _, _ in 1e-5 })
    }

    @Test("takes nothing else for noise")
    func others() {
        #expect(!findsNoise { _, _ in 0 }, "silence")
        #expect(!findsNoise { _, bin in bin % 6 == 0 ? 1 : 0.2 }, "partials")
        #expect(!findsNoise { hop, _ in exp(-Float(hop % 94) / 20) }, "hits that decay")
        #expect(!findsNoise { hop, _ in hop < 40 ? 1 : 0 }, "a short sound")
    }

    @Test("forgets noise that has ended, and everything when it is cleared")
    func end() {
        #expect(!findsNoise(after: 600) { hop, _ in hop < 500 ? 1 : 0.01 * Float(hop % 3) })
        var bands = NoiseBands(bins: 64, hopFrames: 128, sampleRate: 48_000, channelCount: 1)
        let amplitudes = (0..<64).map { Float($0 % 8 + 4) }
        amplitudes.withUnsafeBufferPointer { amplitudes in
            guard let start = amplitudes.baseAddress else { return }
            for _ in 0..<Self.hops { bands.measure(start, channel: 0) }
        }
        bands.settle()
        let isFound = bands.isAny
        bands.clear()
        bands.settle()
        let isLeft = bands.isAny
        #expect(isFound && !isLeft)
    }
}
