internal import Realtime

/// A sound that can be read from any frame.
public protocol SeekableSource: FrameSource {
    /// The file that errors name.
    var path: String { get }

    /// Moves to a frame, which is read next; its samples are the same as in continuous reading.
    ///
    /// - Parameter frame: The frame, from 0 through `frameCount`.
    /// - Throws: `SoundFileError` if the medium fails.
    func seek(to frame: Int) throws(SoundFileError)
}

extension SeekableSource {
    /// Returns the sound at a sample rate in Hz: the source itself if it has that rate.
    ///
    /// The source must be at its first frame, and only the returned source may use it afterwards.
    ///
    /// - Throws: `SoundFileError` if the ratio of the rates is out of range.
    public func frames(at sampleRate: Double) throws(SoundFileError) -> any SeekableSource {
        if self.sampleRate == sampleRate { return self }
        return try ResampledSource(self, at: sampleRate)
    }

    /// Reads and discards frames.
    ///
    /// - Throws: `SoundFileError` if the medium fails.
    func skip(_ frames: Int) throws(SoundFileError) {
        let pieceFrames = 4096
        let piece = Buffer<Float>(count: pieceFrames * channels, repeating: 0)
        var rest = frames
        while rest > 0 {
            let count = try read(min(rest, pieceFrames), into: piece.start)
            if count == 0 { return }
            rest -= count
        }
    }
}
