/// Finds a ping in a recording, with a matched filter.
package struct PingDetector {
    /// The ping: noise of which each frame is one of two values, so that its autocorrelation has one
    /// narrow peak.
    package let ping: [Float]

    /// The smallest correlation, as a share of 1, that counts as the ping.
    ///
    /// Other sound has about the inverse of the square root of the ping's length: 0.016.
    private static let leastCorrelation: Float = 0.2
    /// The length of the ping in frames; a multiple of 8.
    package static let pingFrames = 4096

    /// A ping that was found in a recording.
    package struct Found: Equatable {
        /// The frame of the recording at which the ping begins.
        package var frame: Int
        /// The correlation of the recording and the ping, from 0 through 1.
        package var correlation: Float
    }

    /// Creates a detector.
    ///
    /// - Parameter peak: The peak of the ping, an amplitude factor.
    package init(peak: Float) {
        var state: UInt32 = 0x2545_F491
        ping = (0..<Self.pingFrames).map { _ in
            // The generator xorshift32 of Marsaglia, "Xorshift RNGs" (2003).
            state ^= state &<< 13
            state ^= state &>> 17
            state ^= state &<< 5
            return state & 1 == 0 ? peak : -peak
        }
    }

    /// Finds the strongest ping; its polarity does not matter.
    ///
    /// - Parameter recording: The recording, longer than the ping.
    /// - Returns: The ping; `nil` if there is none.
    package func find(in recording: [Float]) -> Found? {
        guard recording.count >= ping.count else { return nil }
        var best = Found(frame: 0, correlation: 0)
        let pingEnergy = energy(of: ping[...])
        var windowEnergy = energy(of: recording[..<ping.count])
        for frame in 0...(recording.count - ping.count) {
            let product = abs(correlate(recording, at: frame))
            // Silence that is not quite 0 must not look like a ping.
            let scale = (pingEnergy * max(windowEnergy, pingEnergy * 1e-12)).squareRoot()
            let correlation = Float(product / scale)
            if correlation > best.correlation {
                best = Found(frame: frame, correlation: correlation)
            }
            guard frame + ping.count < recording.count else { break }
            let (old, new) = (Double(recording[frame]), Double(recording[frame + ping.count]))
            windowEnergy = max(0, windowEnergy + new * new - old * old)
        }
        return best.correlation >= Self.leastCorrelation ? best : nil
    }

    private func energy(of samples: ArraySlice<Float>) -> Double {
        samples.reduce(0) { $0 + Double($1) * Double($1) }
    }

    private func correlate(_ recording: [Float], at frame: Int) -> Double {
        recording.withUnsafeBytes { recording in
            ping.withUnsafeBytes { ping in
                var sum = SIMD8<Float>()
                for index in stride(from: 0, to: Self.pingFrames, by: 8) {
                    let byte = index * MemoryLayout<Float>.stride
                    let heard = recording.loadUnaligned(
                        fromByteOffset: byte + frame * MemoryLayout<Float>.stride,
                        as: SIMD8<Float>.self)
                    sum += heard * ping.loadUnaligned(fromByteOffset: byte, as: SIMD8<Float>.self)
                }
                return Double(sum.sum())
            }
        }
    }
}
