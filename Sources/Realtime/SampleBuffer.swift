internal import CRealtime

/// A fixed run of float samples on a cache line of its own, zero at first.
///
/// Made and freed off the audio thread.
public struct SampleBuffer: ~Copyable {
    /// The first sample.
    public let samples: UnsafeMutablePointer<Float>
    /// How many samples there are.
    public let count: Int

    /// Allocates room for `count` samples, at least one, all zero.
    public init(count: Int) {
        self.count = max(1, count)
        samples = UnsafeMutableRawPointer.allocate(
            byteCount: self.count * MemoryLayout<Float>.stride, alignment: 64
        ).bindMemory(to: Float.self, capacity: self.count)
        samples.initialize(repeating: 0, count: self.count)
    }

    deinit { samples.deallocate() }

    /// Sets every sample to zero.
    @_noLocks
    public func clear() { rt_clear(samples, Int64(count)) }
}
