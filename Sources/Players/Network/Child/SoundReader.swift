internal import Glibc

/// Whole frames of what comes through a pipe as floats, without those to leave out.
final class SoundReader {
    /// What reading came to.
    enum Outcome: Equatable {
        case frames(Int), nothing, closed
    }

    private static let capacityBytes = 1 << 16
    private let bytes = UnsafeMutableRawPointer.allocate(byteCount: capacityBytes, alignment: 64)
    private let frameBytes: Int
    private var skippedFrames: Int
    private var heldBytes = 0

    /// A reader of frames of so many channels.
    init(channels: Int, skippedFrames: Int) {
        frameBytes = channels * MemoryLayout<Float>.size
        self.skippedFrames = skippedFrames
    }

    deinit { bytes.deallocate() }

    /// Takes what has come, at most so much.
    ///
    /// - Parameters:
    ///   - descriptor: The pipe's end, which does not block.
    ///   - roomFrames: How many frames are wanted at most, at least one.
    ///   - deliver: Is given the frames.
    /// - Returns: How many frames were delivered, or why none were.
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
