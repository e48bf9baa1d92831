internal import SoundFiles

extension ScratchFolder {
    /// Writes channels to a sound file, and returns its path.
    @discardableResult
    public func write(
        _ channels: [[Float]], to name: String, sampleRate: Double = 48_000
    ) throws -> String {
        let path = file(name)
        let writer = try SoundFileWriter(
            path: path, channels: channels.count, sampleRate: sampleRate,
            expectedFrames: channels[0].count)
        let interleaved = channels[0].indices.flatMap { frame in channels.map { $0[frame] } }
        try interleaved.withUnsafeBufferPointer { samples in
            if let start = samples.baseAddress { try writer.write(channels[0].count, from: start) }
        }
        try writer.close()
        return path
    }
}
