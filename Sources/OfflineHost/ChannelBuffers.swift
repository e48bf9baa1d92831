internal import CRealtime
internal import Realtime

/// Audio buffers for a number of channels and frames, in the form that the engine reads and writes.
final class ChannelBuffers {
    let channels: Int
    let frames: Int
    private let samples: Buffer<Float>
    private let readTable: Buffer<UnsafePointer<Float>>
    private let writeTable: Buffer<UnsafeMutablePointer<Float>>

    /// Creates buffers filled with zeros.
    init(channels: Int, frames: Int) {
        self.channels = channels
        self.frames = frames
        samples = Buffer(count: max(1, channels * frames), repeating: 0)
        // One entry even without channels, so that the tables are always initialized.
        readTable = Buffer(count: max(1, channels), repeating: UnsafePointer(samples.start))
        writeTable = Buffer(count: max(1, channels), repeating: samples.start)
    }

    /// Returns a channel's first sample.
    func channel(_ channel: Int) -> UnsafeMutablePointer<Float> { samples.start + channel * frames }

    /// Returns the channels from a frame on, for reading: one pointer per channel, valid until the
    /// next call.
    func reading(from frame: Int) -> UnsafePointer<UnsafePointer<Float>> {
        for channel in 0..<channels {
            readTable[channel] = UnsafePointer(self.channel(channel) + frame)
        }
        return UnsafePointer(readTable.start)
    }

    /// Returns the channels from a frame on, for writing: one pointer per channel, valid until the
    /// next call.
    func writing(from frame: Int) -> UnsafePointer<UnsafeMutablePointer<Float>> {
        for channel in 0..<channels { writeTable[channel] = self.channel(channel) + frame }
        return UnsafePointer(writeTable.start)
    }

    /// Silences a channel from a frame to its end.
    func silence(channel: Int, from frame: Int) {
        rt_clear(self.channel(channel) + frame, Int64(frames - frame))
    }
}
