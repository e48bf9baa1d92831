internal import CRealtime
internal import SoundFiles

/// A file that plays into some channels of the engine, and is silent after its end.
final class InputFeed {
    private let source: any FrameSource
    private let channels: Range<Int>
    private let interleaved: UnsafeMutablePointer<Float>

    /// A source for some channels: one for each, or a mono one for all.
    init(_ source: any FrameSource, channels: Range<Int>, stretchFrames: Int) {
        self.source = source
        self.channels = channels
        interleaved = .allocate(capacity: stretchFrames * source.channels)
    }

    deinit { interleaved.deallocate() }

    /// Fills the channels with the next stretch of sound.
    func fill(_ buffers: ChannelBuffers) throws(SoundFileFault) {
        let count = try source.read(buffers.frames, into: interleaved)
        for (place, channel) in channels.enumerated() {
            copy(channel: place % source.channels, into: buffers.channel(channel), count)
            buffers.silence(channel: channel, from: count)
        }
    }

    private func copy(channel: Int, into samples: UnsafeMutablePointer<Float>, _ count: Int) {
        let stride = source.channels
        for frame in 0..<count { samples[frame] = interleaved[frame * stride + channel] }
    }
}
