/// Conversion of samples to and from 24-bit integers without loss.
///
/// Sound cards deliver integers, and JACK divides them by 2^23 or by 2^23 - 1. FLAC can store such
/// samples without loss; all others must be stored as floats.
enum ExactSamples {
    /// The divisors to try: the first is used by PipeWire and in files, the second by jackd.
    static let scales: [Float] = [8_388_608, 8_388_607]
    private static let limit: Float = 8_388_607

    /// Returns the divisor with which every sample is exact; `nil` if neither is.
    static func scale(of samples: [Float]) -> Float? {
        scales.first { scale in
            samples.allSatisfy { sample in
                let number = (sample * scale).rounded()
                return abs(number) <= limit
                    && (number / scale).bitPattern == sample.bitPattern
            }
        }
    }

    /// Converts a sample for a 24-bit file; the result is from -1 through 1.
    static func stored(_ sample: Float, scale: Float) -> Float {
        (sample * scale).rounded() / scales[0]
    }

    /// Converts a sample from a 24-bit file back.
    static func sample(_ stored: Float, scale: Float) -> Float { stored * scales[0] / scale }
}
