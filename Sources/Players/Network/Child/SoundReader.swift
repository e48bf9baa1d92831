internal import Glibc
internal import Realtime

/// Reads whole frames of floats from a pipe, and skips a number of frames at the start.
final class SoundReader {
    /// The result of a read.
    enum Outcome: Equatable {
        case frames(Int), nothing, closed
    }

    private static let capacityBytes = 1 << 16
    private let samples = Buffer<Float>(
        count: capacityBytes / MemoryLayout<Float>.size, repeating: 0)
    private let channels: Int
    private let frameBytes: Int
    private var skippedFrames: Int
    private var heldBytes = 0

    /// Creates a reader of frames with a number of channels.
    init(channels: Int, skippedFrames: Int) {
        self.channels = channels
        frameBytes = channels * MemoryLayout<Float>.size
        self.skippedFrames = skippedFrames
    }

    /// Reads the available frames.
    ///
    /// - Parameters:
    ///   - descriptor: The end of the pipe; it must not block.
    ///   - roomFrames: The largest number of frames to read, at least 1.
    ///   - deliver: Receives the frames.
    /// - Returns: The number of frames delivered, or `nothing` or `closed`.
    func read(
        from descriptor: Int32, roomFrames: Int, _ deliver: (Int, UnsafePointer<Float>) -> Void
    ) -> Outcome {
        let bytes = UnsafeMutableRawPointer(samples.start)
        let wantedBytes = min(Self.capacityBytes, roomFrames * frameBytes) - heldBytes
        let count = Glibc.read(descriptor, bytes + heldBytes, wantedBytes)
        if count == 0 { return .closed }
        if count < 0 { return errno == EAGAIN || errno == EINTR ? .nothing : .closed }
        heldBytes += count
        let frames = heldBytes / frameBytes
        let skipped = min(frames, skippedFrames)
        skippedFrames -= skipped
        if frames > skipped { deliver(frames - skipped, samples.start + skipped * channels) }
        heldBytes -= frames * frameBytes
        memmove(bytes, bytes + frames * frameBytes, heldBytes)
        return .frames(frames - skipped)
    }
}
