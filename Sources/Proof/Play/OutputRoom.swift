internal import Engine
internal import Realtime

/// The buffers of all output channels.
final class OutputRoom {
    private let samples: Buffer<Float>
    private let table: Buffer<UnsafeMutablePointer<Float>>
    private let frames: Int

    /// Creates buffers for every slot that an engine can have.
    init(frames: Int) {
        self.frames = frames
        let count = EnginePorts.maximumChannels
        samples = Buffer(count: count * frames, repeating: 0)
        let start = samples.start
        table = Buffer(count: count) { start + $0 * frames }
    }

    /// One pointer per slot.
    var pointers: UnsafePointer<UnsafeMutablePointer<Float>> { UnsafePointer(table.start) }

    /// Returns the samples of a slot.
    func slot(_ slot: Int) -> UnsafePointer<Float> {
        UnsafePointer(samples.start + slot * frames)
    }
}
