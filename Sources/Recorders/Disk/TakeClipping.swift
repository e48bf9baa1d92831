internal import CRealtime
internal import Processing

/// The samples of a take that exceed full scale, which integer formats clip.
struct TakeClipping {
    private var clippedCount = 0
    private var firstFrame = 0

    /// Adds samples of one channel.
    ///
    /// - Parameters:
    ///   - samples: The samples.
    ///   - count: The number of samples.
    ///   - frame: The frame of the first sample in the take.
    mutating func include(_ samples: UnsafePointer<Float>, count: Int, from frame: Int) {
        let isFinite = rt_is_finite(samples, Int64(count))
        // Usually no sample exceeds full scale, and the loop is not needed.
        guard !isFinite || rt_level(samples, Int64(count)).peak > 1 else { return }
        // Samples that are not finite are written as silence.
        for index in 0..<count where samples[index].isFinite && abs(samples[index]) > 1 {
            if clippedCount == 0 { firstFrame = frame + index }
            firstFrame = min(firstFrame, frame + index)
            clippedCount += 1
        }
    }

    /// Returns the incident for a take.
    ///
    /// - Parameters:
    ///   - path: The take's file.
    ///   - sampleRate: The sample rate in Hz.
    ///   - peak: The take's peak in dB.
    /// - Returns: The incident; `nil` if nothing was clipped.
    func incident(path: String, sampleRate: Double, peak: Float) -> Incident? {
        guard clippedCount > 0 else { return nil }
        return .takeClipped(
            path: path, samples: clippedCount, firstSeconds: Double(firstFrame) / sampleRate,
            peak: Double(peak))
    }
}
