internal import Realtime

/// A sound that is read from its start to its end in pieces.
public protocol FrameSource: AnyObject {
    /// The number of channels, at least 1.
    var channels: Int { get }
    /// The sample rate in Hz.
    var sampleRate: Double { get }
    /// The length in frames.
    var frameCount: Int { get }

    /// Reads the next frames, interleaved.
    ///
    /// - Parameters:
    ///   - frames: The number of frames to read.
    ///   - samples: Room for `frames` times `channels` samples.
    /// - Returns: The number of frames read: less than `frames` only at the end, and 0 after it.
    /// - Throws: `SoundFileError` if the medium fails.
    func read(
        _ frames: Int, into samples: UnsafeMutablePointer<Float>
    ) throws(SoundFileError) -> Int
}

extension FrameSource {
    /// Reads all remaining frames into one array per channel.
    ///
    /// - Throws: `SoundFileError` if the medium fails.
    public func readChannels() throws(SoundFileError) -> [[Float]] {
        let pieceFrames = 4096
        var result = [[Float]](repeating: [], count: channels)
        for channel in result.indices { result[channel].reserveCapacity(frameCount) }
        let piece = Buffer<Float>(count: pieceFrames * channels, repeating: 0)
        while true {
            let count = try read(pieceFrames, into: piece.start)
            if count == 0 { return result }
            for channel in result.indices {
                for frame in 0..<count { result[channel].append(piece[frame * channels + channel]) }
            }
        }
    }
}
