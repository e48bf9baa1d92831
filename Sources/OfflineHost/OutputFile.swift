internal import Realtime
internal import SoundFiles

/// A file that records some channels of the engine, from a start frame on, for a fixed number of
/// frames.
final class OutputFile {
    private let writer: SoundFileWriter
    private let channels: Range<Int>
    private let interleaved: Buffer<Float>
    private var framesToSkip: Int
    private var framesToWrite: Int

    /// Creates a recording of some channels.
    ///
    /// - Parameters:
    ///   - writer: The file, still empty.
    ///   - channels: The engine's channels to record, in order.
    ///   - skippedFrames: The number of frames to omit at the start.
    ///   - lengthFrames: The number of frames to write after them.
    ///   - chunkFrames: The number of frames per chunk.
    init(
        _ writer: SoundFileWriter, channels: Range<Int>, skippedFrames: Int, lengthFrames: Int,
        chunkFrames: Int
    ) {
        self.writer = writer
        self.channels = channels
        framesToSkip = skippedFrames
        framesToWrite = lengthFrames
        interleaved = Buffer(count: chunkFrames * channels.count, repeating: 0)
    }

    /// Writes the part of the next chunk that belongs to the file.
    func write(_ buffers: ChannelBuffers) throws(SoundFileError) {
        let start = min(framesToSkip, buffers.frames)
        let count = min(buffers.frames - start, framesToWrite)
        framesToSkip -= start
        framesToWrite -= count
        if count == 0 { return }
        for (index, channel) in channels.enumerated() {
            let samples = buffers.channel(channel) + start
            for frame in 0..<count { interleaved[frame * channels.count + index] = samples[frame] }
        }
        try writer.write(count, from: interleaved.start)
    }

    /// Completes the file.
    func close() throws(SoundFileError) { try writer.close() }
}
