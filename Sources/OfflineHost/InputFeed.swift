internal import CRealtime
internal import Realtime
internal import SoundFiles

/// A file that feeds some channels of the engine, and is silent after its end.
final class InputFeed {
    private let source: any FrameSource
    private let channels: Range<Int>
    private let interleaved: Buffer<Float>

    /// Creates a feed from a source with one channel per target channel, or from a mono source for
    /// all of them.
    init(_ source: any FrameSource, channels: Range<Int>, chunkFrames: Int) {
        self.source = source
        self.channels = channels
        interleaved = Buffer(count: chunkFrames * source.channels, repeating: 0)
    }

    /// Fills the channels with the next chunk of the file.
    func fill(_ buffers: ChannelBuffers) throws(SoundFileError) {
        let count = try source.read(buffers.frames, into: interleaved.start)
        for (index, channel) in channels.enumerated() {
            copy(channel: index % source.channels, into: buffers.channel(channel), count)
            buffers.silence(channel: channel, from: count)
        }
    }

    private func copy(channel: Int, into samples: UnsafeMutablePointer<Float>, _ count: Int) {
        let stride = source.channels
        for frame in 0..<count { samples[frame] = interleaved[frame * stride + channel] }
    }
}
