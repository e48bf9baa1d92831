import DSP
import Testing

@Suite("Spectral flux")
struct SpectralFluxTests {
    /// Returns the movement after bins whose amplitudes change by a share of themselves every 512
    /// frames, in one part after the other.
    private func movement(
        _ parts: [(change: Float, hops: Int)], _ quality: ShiftLengths.Quality = .live
    ) -> Float {
        let lengths = ShiftLengths(sampleRate: 48_000, quality: quality)
        var flux = SpectralFlux(lengths, channelCount: 1)
        var real = [Float](repeating: 0, count: lengths.paddedBins)
        var imaginary = real
        var power = real
        let lag = 8 * lengths.stepFrames / lengths.hopFrames
        for (change, hops) in parts {
            for hop in 0..<hops {
                for bin in real.indices { real[bin] = hop / lag % 2 == 0 ? 1 + change : 1 - change }
                real.withUnsafeMutableBufferPointer { real in
                    imaginary.withUnsafeMutableBufferPointer { imaginary in
                        power.withUnsafeMutableBufferPointer { power in
                            guard let x = real.baseAddress, let y = imaginary.baseAddress,
                                let sums = power.baseAddress
                            else { return }
                            flux.measure(
                                SplitSpectrum(real: x, imaginary: y), lengths.fineGrid, channel: 0,
                                power: sums)
                        }
                    }
                }
                flux.settle()
            }
        }
        return flux.movement
    }

    @Test("takes a sound for steady up to its limit, and for moving above it")
    func limits() {
        #expect(movement([(0.05, 200)]) == 0)
        #expect(movement([(0.3, 200)]) == 1)
    }

    @Test("tolerates a little more change after a sound has been steady")
    func trust() {
        #expect(movement([(0.105, 400)]) > 0)
        #expect(movement([(0.05, 200), (0.105, 200)]) == 0)
        #expect(movement([(0.05, 200), (0.13, 200)]) > 0)
        #expect(movement([(0.05, 200), (0.105, 200)], .high) > 0)
    }
}
