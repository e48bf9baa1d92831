internal import Realtime

/// The buffers of some channels, with the lists of pointers for a run.
final class Channels {
    let frames: Int
    let all: Buffer<Buffer<Float>>
    let readable: Buffer<UnsafePointer<Float>>
    let writable: Buffer<UnsafeMutablePointer<Float>>
    /// A replacement if there is no channel, so that the lists are never empty.
    private let spare: Buffer<Float>

    init(_ count: Int, frames: Int) {
        self.frames = frames
        spare = Buffer(count: frames, repeating: 0)
        all = Buffer(count: count) { _ in Buffer(count: frames, repeating: 0) }
        readable = Buffer(count: count + 1, repeating: UnsafePointer(spare.start))
        writable = Buffer(count: count + 1, repeating: spare.start)
        for channel in 0..<count {
            readable[channel] = UnsafePointer(all[channel].start)
            writable[channel] = all[channel].start
        }
    }

    /// Whether all samples are finite.
    var areFinite: Bool {
        (0..<all.count).allSatisfy { channel in
            (0..<frames).allSatisfy { all[channel][$0].isFinite }
        }
    }
}

/// White noise at a quarter of full scale, reproducible.
struct NoiseSource {
    private var state: UInt32 = 1

    mutating func next() -> Float {
        state = state &* 1_664_525 &+ 1_013_904_223
        return Float(Int32(bitPattern: state)) / 0x1p33
    }
}
