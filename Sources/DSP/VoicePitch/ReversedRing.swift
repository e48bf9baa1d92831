internal import CRealtime
internal import Realtime

/// The latest samples, newest first, in consecutive memory: each sample is stored twice.
struct ReversedRing: ~Copyable {
    /// The samples, stored twice.
    private let samples: Buffer<Float>
    private let size: Int
    private var head = 0

    /// Creates a ring for at least `size` samples, rounded up to whole steps.
    init(size: Int) {
        let step = TrackerScale.stepSamples
        self.size = (size + step - 1) / step * step
        samples = Buffer(count: 2 * self.size, repeating: 0)
        reset()
    }

    @_noLocks
    mutating func reset() {
        rt_clear(samples.start, Int64(2 * size))
        head = 0
    }

    /// The newest sample, followed by older ones.
    var newest: UnsafePointer<Float> { @_noLocks get { UnsafePointer(samples.start + head) } }

    /// Makes room for the samples of a step, which the caller writes one by one.
    @_noLocks
    mutating func open() { head = (head == 0 ? size : head) - TrackerScale.stepSamples }

    @_noLocks
    func write(_ sample: Float, at index: Int) {
        samples[head + index] = sample
        samples[head + size + index] = sample
    }

    /// Adds the samples of a step, newest first.
    @_noLocks
    mutating func push(_ step: UnsafePointer<Float>) {
        open()
        for index in 0..<TrackerScale.stepSamples { write(step[index], at: index) }
    }
}
