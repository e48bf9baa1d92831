internal import Glibc

/// Reads whole frames of floats from a pipe, and skips a number of frames at the start.
final class SoundReader {
    /// The result of a read.
    enum Outcome: Equatable {
        case frames(Int), nothing, closed
    }

    private static let capacityBytes = 1 << 16
    private let bytes = UnsafeMutableRawPointer.allocate(byteCount: capacityBytes, alignment: 64)
    private let frameBytes: Int
    private var skippedFrames: Int
    private var heldBytes = 0

    /// Creates a reader of frames with a number of channels.
    init(channels: Int, skippedFrames: Int) {
        frameBytes = channels * MemoryLayout<Float>.size
        self.skippedFrames = skippedFrames
    }

    deinit { bytes.deallocate() }

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
        let wantedBytes = min(Self.capacityBytes, roomFrames * frameBytes) - heldBytes
        let count = Glibc.read(descriptor, bytes + heldBytes, wantedBytes)
        if count == 0 { return .closed }
        if count < 0 { return errno == EAGAIN || errno == EINTR ? .nothing : .closed }
        heldBytes += count
        let frames = heldBytes / frameBytes
        let skipped = min(frames, skippedFrames)
        skippedFrames -= skipped
        if frames > skipped {
            let first = (bytes + skipped * frameBytes).assumingMemoryBound(to: Float.self)
            deliver(frames - skipped, first)
        }
        heldBytes -= frames * frameBytes
        memmove(bytes, bytes + frames * frameBytes, heldBytes)
        return .frames(frames - skipped)
    }
}
