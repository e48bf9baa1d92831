internal import CRealtime

/// Audio buffers for a number of channels and frames, in the form that the engine reads and writes.
final class ChannelBuffers {
    let channels: Int
    let frames: Int
    private let samples: UnsafeMutablePointer<Float>
    private let readTable: UnsafeMutablePointer<UnsafePointer<Float>>
    private let writeTable: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    /// Creates buffers filled with zeros.
    init(channels: Int, frames: Int) {
        self.channels = channels
        self.frames = frames
        samples = .allocate(capacity: max(1, channels * frames))
        samples.initialize(repeating: 0, count: max(1, channels * frames))
        readTable = .allocate(capacity: max(1, channels))
        writeTable = .allocate(capacity: max(1, channels))
        // One entry even without channels, so that the tables are always initialized.
        for channel in 0..<max(1, channels) {
            readTable.advanced(by: channel).initialize(to: UnsafePointer(samples))
            writeTable.advanced(by: channel).initialize(to: samples)
        }
    }

    deinit {
        samples.deallocate()
        readTable.deallocate()
        writeTable.deallocate()
    }

    /// Returns a channel's first sample.
    func channel(_ channel: Int) -> UnsafeMutablePointer<Float> { samples + channel * frames }

    /// Returns the channels from a frame on, for reading: one pointer per channel, valid until the
    /// next call.
    func reading(from frame: Int) -> UnsafePointer<UnsafePointer<Float>> {
        for channel in 0..<channels {
            readTable[channel] = UnsafePointer(self.channel(channel) + frame)
        }
        return UnsafePointer(readTable)
    }

    /// Returns the channels from a frame on, for writing: one pointer per channel, valid until the
    /// next call.
    func writing(from frame: Int) -> UnsafePointer<UnsafeMutablePointer<Float>> {
        for channel in 0..<channels { writeTable[channel] = self.channel(channel) + frame }
        return UnsafePointer(writeTable)
    }

    /// Silences a channel from a frame to its end.
    func silence(channel: Int, from frame: Int) {
        rt_clear(self.channel(channel) + frame, Int64(frames - frame))
    }
}
