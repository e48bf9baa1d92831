/// Frames in the order in which they came, at most so many.
// SAFETY: the memory belongs to the store alone, of which there is one.
struct FrameStore: ~Copyable, @unchecked Sendable {
    private let samples: UnsafeMutablePointer<Float>
    private let channels: Int
    /// How many frames have room.
    let capacityFrames: Int
    /// How many frames there are.
    private(set) var count = 0
    private var head = 0

    /// An empty store.
    init(capacityFrames: Int, channels: Int) {
        self.capacityFrames = capacityFrames
        self.channels = channels
        samples = .allocate(capacity: capacityFrames * channels)
    }

    deinit { samples.deallocate() }

    /// How many frames still fit.
    var roomFrames: Int { capacityFrames - count }

    /// Takes as many frames as fit.
    ///
    /// - Returns: How many that were.
    mutating func append(_ frames: Int, from source: UnsafePointer<Float>) -> Int {
        let taken = min(frames, roomFrames)
        let tail = (head + count) % capacityFrames
        let first = min(taken, capacityFrames - tail)
        (samples + tail * channels).update(from: source, count: first * channels)
        samples.update(from: source + first * channels, count: (taken - first) * channels)
        count += taken
        return taken
    }

    /// Gives the oldest frames away.
    ///
    /// - Returns: How many there were, at most as many as are wanted.
    mutating func take(_ frames: Int, into target: UnsafeMutablePointer<Float>) -> Int {
        let given = min(frames, count)
        let first = min(given, capacityFrames - head)
        target.update(from: samples + head * channels, count: first * channels)
        (target + first * channels).update(from: samples, count: (given - first) * channels)
        head = (head + given) % capacityFrames
        count -= given
        return given
    }

    /// Forgets all frames.
    mutating func removeAll() {
        head = 0
        count = 0
    }
}
