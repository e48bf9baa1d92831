/// Samples that are exactly integers of 24 bits, divided by a scale.
///
/// Sound cards deliver integers, and JACK divides them by 2^23 or by 2^23 - 1. Such samples can be
/// kept as FLAC without any change; others need floats.
enum ExactSamples {
    /// The scales to try: that of PipeWire and of files, and that of jackd.
    static let scales: [Float] = [8_388_608, 8_388_607]
    private static let limit: Float = 8_388_607

    /// Returns the scale for which all samples are exact; `nil` if there is none.
    static func scale(of samples: [Float]) -> Float? {
        scales.first { scale in
            samples.allSatisfy { sample in
                let number = (sample * scale).rounded()
                return abs(number) <= limit
                    && (number / scale).bitPattern == sample.bitPattern
            }
        }
    }

    /// Returns a sample as it is kept in a file of 24 bits, from -1 to 1.
    static func stored(_ sample: Float, scale: Float) -> Float {
        (sample * scale).rounded() / scales[0]
    }

    /// Returns the sample that was kept in a file of 24 bits.
    static func sample(_ stored: Float, scale: Float) -> Float { stored * scales[0] / scale }
}
