internal import CRealtime

/// The latest samples, newest first, at consecutive places: each is kept twice.
struct ReversedRing: BitwiseCopyable {
    // SAFETY: the place lives from `init` through `deallocate`, which the owner calls at its own end.
    private let places: UnsafeMutablePointer<Float>
    private let size: Int
    private var head = 0

    /// A ring for as many samples, up to a whole number of steps.
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

    /// The newest sample; older ones follow.
    var newest: UnsafePointer<Float> { @_noLocks get { UnsafePointer(places + head) } }

    /// Makes room for a step's samples, to be placed one by one.
    @_noLocks
    mutating func open() { head = (head == 0 ? size : head) - TrackerScale.stepSamples }

    @_noLocks
    func place(_ sample: Float, at index: Int) {
        places[head + index] = sample
        places[head + size + index] = sample
    }

    /// Takes a step's samples, newest first.
    @_noLocks
    mutating func push(_ step: UnsafePointer<Float>) {
        open()
        for index in 0..<TrackerScale.stepSamples { place(step[index], at: index) }
    }
}
