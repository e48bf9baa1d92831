/// Sound that is read from its beginning to its end, a piece at a time.
public protocol FrameSource: AnyObject {
    /// Channels, at least 1.
    var channels: Int { get }
    /// Frames a second.
    var sampleRate: Double { get }
    /// Frames from the beginning to the end.
    var frameCount: Int { get }

    /// Reads the next frames, channel beside channel.
    ///
    /// - Parameters:
    ///   - frames: How many are wanted.
    ///   - samples: Room for `frames` times `channels`.
    /// - Returns: How many were read: fewer than wanted at the end only, and 0 after it.
    /// - Throws: `SoundFileFault` where the medium fails.
    func read(
        _ frames: Int, into samples: UnsafeMutablePointer<Float>
    ) throws(SoundFileFault) -> Int
}

extension FrameSource {
    /// Everything from here to the end, one array a channel.
    ///
    /// - Throws: `SoundFileFault` where the medium fails.
    public func readChannels() throws(SoundFileFault) -> [[Float]] {
        let pieceFrames = 4096
        var result = [[Float]](repeating: [], count: channels)
        for channel in result.indices { result[channel].reserveCapacity(frameCount) }
        let piece = UnsafeMutablePointer<Float>.allocate(capacity: pieceFrames * channels)
        defer { piece.deallocate() }
        while true {
            let count = try read(pieceFrames, into: piece)
            if count == 0 { return result }
            for channel in result.indices {
                for frame in 0..<count { result[channel].append(piece[frame * channels + channel]) }
            }
        }
    }
}
