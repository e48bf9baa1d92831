internal import CRealtime

/// Sound of some channels over some frames, in the shape that the engine takes and gives.
final class ChannelBuffers {
    let channels: Int
    let frames: Int
    private let samples: UnsafeMutablePointer<Float>
    private let readTable: UnsafeMutablePointer<UnsafePointer<Float>>
    private let writeTable: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    /// Room for some channels, all zero.
    init(channels: Int, frames: Int) {
        self.channels = channels
        self.frames = frames
        samples = .allocate(capacity: max(1, channels * frames))
        samples.initialize(repeating: 0, count: max(1, channels * frames))
        readTable = .allocate(capacity: max(1, channels))
        writeTable = .allocate(capacity: max(1, channels))
        // One entry even without channels, so that the tables are never left unwritten.
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

    /// A channel's first sample.
    func channel(_ channel: Int) -> UnsafeMutablePointer<Float> { samples + channel * frames }

    /// The channels from a frame on, to read: one pointer each, valid until the next call.
    func reading(from frame: Int) -> UnsafePointer<UnsafePointer<Float>> {
        for channel in 0..<channels {
            readTable[channel] = UnsafePointer(self.channel(channel) + frame)
        }
        return UnsafePointer(readTable)
    }

    /// The channels from a frame on, to write: one pointer each, valid until the next call.
    func writing(from frame: Int) -> UnsafePointer<UnsafeMutablePointer<Float>> {
        for channel in 0..<channels { writeTable[channel] = self.channel(channel) + frame }
        return UnsafePointer(writeTable)
    }

    /// Silences some frames of a channel, from one on to the end.
    func silence(channel: Int, from frame: Int) {
        rt_clear(self.channel(channel) + frame, Int64(frames - frame))
    }
}
