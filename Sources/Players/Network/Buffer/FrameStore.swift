internal import Realtime

/// A bounded first-in, first-out queue of frames.
// SAFETY: the memory belongs only to this store, which cannot be copied.
struct FrameStore: ~Copyable, @unchecked Sendable {
    private let samples: Buffer<Float>
    private let channels: Int
    /// The capacity in frames.
    let capacityFrames: Int
    /// The number of frames in the store.
    private(set) var count = 0
    private var head = 0

    /// Creates an empty store.
    init(capacityFrames: Int, channels: Int) {
        self.capacityFrames = capacityFrames
        self.channels = channels
        samples = Buffer(count: capacityFrames * channels, repeating: 0)
    }

    /// The number of frames that still fit.
    var roomFrames: Int { capacityFrames - count }

    /// Appends as many frames as fit.
    ///
    /// - Returns: The number of frames appended.
    mutating func append(_ frames: Int, from source: UnsafePointer<Float>) -> Int {
        let taken = min(frames, roomFrames)
        let tail = (head + count) % capacityFrames
        let first = min(taken, capacityFrames - tail)
        (samples.start + tail * channels).update(from: source, count: first * channels)
        samples.start.update(from: source + first * channels, count: (taken - first) * channels)
        count += taken
        return taken
    }

    /// Removes the oldest frames.
    ///
    /// - Returns: The number of frames removed, at most `frames`.
    mutating func read(_ frames: Int, into target: UnsafeMutablePointer<Float>) -> Int {
        let readCount = min(frames, count)
        let first = min(readCount, capacityFrames - head)
        target.update(from: samples.start + head * channels, count: first * channels)
        (target + first * channels).update(
            from: samples.start, count: (readCount - first) * channels)
        head = (head + readCount) % capacityFrames
        count -= readCount
        return readCount
    }

    /// Removes all frames.
    mutating func removeAll() {
        head = 0
        count = 0
    }
}
