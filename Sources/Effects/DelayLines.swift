internal import DSP
internal import Processing

/// The delay lines of an effect, one per channel, freed with this value.
struct DelayLines: ~Copyable {
    let count: Int
    let start: UnsafeMutablePointer<DelayLine>

    /// Allocates silent lines; `nil` if there is no memory for all of them.
    ///
    /// - Parameters:
    ///   - channelCount: The number of lines.
    ///   - sampleRate: In Hz.
    ///   - maximumSeconds: The longest delay.
    init?(channelCount: Int, sampleRate: Double, maximumSeconds: Double) {
        let lines = UnsafeMutablePointer<DelayLine>.allocate(capacity: channelCount)
        let frames = Self.frames(sampleRate: sampleRate, maximumSeconds: maximumSeconds)
        for channel in 0..<channelCount {
            guard let line = DelayLine.allocated(maximumFrames: frames) else {
                Self.free(lines, count: channel)
                return nil
            }
            (lines + channel).initialize(to: line)
        }
        count = channelCount
        start = lines
    }

    deinit { Self.free(start, count: count) }

    private static func free(_ lines: UnsafeMutablePointer<DelayLine>, count: Int) {
        for channel in 0..<count { lines[channel].deallocate() }
        lines.deallocate()
    }

    /// Returns the number of bytes that lines of these lengths allocate.
    static func byteCount(channelCount: Int, sampleRate: Double, maximumSeconds: Double) -> Int {
        let frames = frames(sampleRate: sampleRate, maximumSeconds: maximumSeconds)
        return DelayLine.sampleCount(maximumFrames: frames)
            .multipliedClamped(by: MemoryLayout<Float>.stride)
            .addingClamped(MemoryLayout<DelayLine>.stride)
            .multipliedClamped(by: channelCount)
    }

    private static func frames(sampleRate: Double, maximumSeconds: Double) -> Int {
        // The limit is far beyond any memory, and far from overflow.
        Int(min(maximumSeconds * sampleRate, 1e15)) + 1
    }
}
