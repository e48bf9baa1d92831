internal import DSP
internal import Processing
internal import Realtime

/// The delay lines of an effect, one per channel.
struct DelayLines: ~Copyable {
    private let lines: Buffer<DelayLine>

    /// Allocates silent lines; `nil` if there is no memory for all of them.
    ///
    /// - Parameters:
    ///   - channelCount: The number of lines.
    ///   - sampleRate: In Hz.
    ///   - maximumSeconds: The longest delay.
    init?(channelCount: Int, sampleRate: Double, maximumSeconds: Double) {
        let frames = Self.frames(sampleRate: sampleRate, maximumSeconds: maximumSeconds)
        let lines = Buffer(attemptingCount: channelCount) { _ in
            DelayLine.allocated(maximumFrames: frames)
        }
        guard let lines else { return nil }
        self.lines = lines
    }

    /// The number of lines.
    var count: Int { @_noLocks get { lines.count } }

    /// The first line.
    var start: UnsafeMutablePointer<DelayLine> { @_noLocks get { lines.start } }

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
