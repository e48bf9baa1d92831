internal import SoundFiles

/// A file that takes what some channels of the engine give, from one frame on, for so many frames.
final class OutputTake {
    private let writer: SoundFileWriter
    private let channels: Range<Int>
    private let interleaved: UnsafeMutablePointer<Float>
    private var framesToSkip: Int
    private var framesToWrite: Int

    /// A file for some channels.
    ///
    /// - Parameters:
    ///   - writer: The file, empty.
    ///   - channels: The engine's channels that go into it, in order.
    ///   - skippedFrames: How many frames are left out at the beginning.
    ///   - lengthFrames: How many are written after them.
    ///   - stretchFrames: How many come at a time.
    init(
        _ writer: SoundFileWriter, channels: Range<Int>, skippedFrames: Int, lengthFrames: Int,
        stretchFrames: Int
    ) {
        self.writer = writer
        self.channels = channels
        framesToSkip = skippedFrames
        framesToWrite = lengthFrames
        interleaved = .allocate(capacity: stretchFrames * channels.count)
    }

    deinit { interleaved.deallocate() }

    /// Writes what belongs into the file of the next stretch of sound.
    func take(_ buffers: ChannelBuffers) throws(SoundFileFault) {
        let start = min(framesToSkip, buffers.frames)
        let count = min(buffers.frames - start, framesToWrite)
        framesToSkip -= start
        framesToWrite -= count
        if count == 0 { return }
        for (place, channel) in channels.enumerated() {
            let samples = buffers.channel(channel) + start
            for frame in 0..<count { interleaved[frame * channels.count + place] = samples[frame] }
        }
        try writer.write(count, from: interleaved)
    }

    /// Finishes the file.
    func close() throws(SoundFileFault) { try writer.close() }
}
