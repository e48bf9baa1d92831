internal import CRealtime

/// The latest samples, newest first, in consecutive memory: each sample is stored twice.
struct ReversedRing: BitwiseCopyable {
    // SAFETY: the buffer is allocated in `init` and freed only in `deallocate`, which the owner
    // calls last.
    private let places: UnsafeMutablePointer<Float>
    private let size: Int
    private var head = 0

    /// Creates a ring for at least `size` samples, rounded up to whole steps.
    init(size: Int) {
        let step = TrackerScale.stepSamples
        self.size = (size + step - 1) / step * step
        places = .allocate(capacity: 2 * self.size)
        reset()
    }

    func deallocate() { places.deallocate() }

    @_noLocks
    mutating func reset() {
        rt_clear(places, Int64(2 * size))
        head = 0
    }

    /// The newest sample, followed by older ones.
    var newest: UnsafePointer<Float> { @_noLocks get { UnsafePointer(places + head) } }

    /// Makes room for the samples of a step, which the caller places one by one.
    @_noLocks
    mutating func open() { head = (head == 0 ? size : head) - TrackerScale.stepSamples }

    @_noLocks
    func place(_ sample: Float, at index: Int) {
        places[head + index] = sample
        places[head + size + index] = sample
    }

    /// Adds the samples of a step, newest first.
    @_noLocks
    mutating func push(_ step: UnsafePointer<Float>) {
        open()
        for index in 0..<TrackerScale.stepSamples { place(step[index], at: index) }
    }
}
