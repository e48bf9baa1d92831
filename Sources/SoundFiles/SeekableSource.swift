/// Sound that can be read from any frame on.
public protocol SeekableSource: FrameSource {
    /// The file that a fault names.
    var path: String { get }

    /// Goes to a frame, which is the next that is read: the same samples as if all before it had been read.
    ///
    /// - Parameter frame: From 0 through `frameCount`.
    /// - Throws: `SoundFileFault` where the medium fails.
    func seek(to frame: Int) throws(SoundFileFault)
}

extension SeekableSource {
    /// The sound at a rate: itself where it has that rate, otherwise converted.
    ///
    /// Every source is to be at its first frame, and left to the one that is returned.
    ///
    /// - Throws: `SoundFileFault` where the rates lie too far apart.
    public func frames(at sampleRate: Double) throws(SoundFileFault) -> any SeekableSource {
        if self.sampleRate == sampleRate { return self }
        return try ResampledSource(self, at: sampleRate)
    }

    /// Reads frames for nothing.
    ///
    /// - Throws: `SoundFileFault` where the medium fails.
    func skip(_ frames: Int) throws(SoundFileFault) {
        let pieceFrames = 4096
        let piece = UnsafeMutablePointer<Float>.allocate(capacity: pieceFrames * channels)
        defer { piece.deallocate() }
        var rest = frames
        while rest > 0 {
            let count = try read(min(rest, pieceFrames), into: piece)
            if count == 0 { return }
            rest -= count
        }
    }
}
