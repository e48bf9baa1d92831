internal import CJack
internal import Synchronization

/// The state of the listener's process callback, which checks the returned signal for steps.
struct ListenerSound: ~Copyable {
    let clean: OpaquePointer
    let lights: OpaquePointer
    /// The messages of the program under test.
    let heard = HeardMessages()
    /// The bit pattern of the largest difference between neighbouring samples since the last query.
    let largestStep = Atomic<UInt32>(0)
    /// The value of `frames` at the start of the cycle with that step.
    let stepFrame = Atomic<UInt64>(0)
    /// The bit pattern of the highest magnitude since the last query.
    let peak = Atomic<UInt32>(0)
    let frames = Atomic<UInt64>(0)
    let xruns = Atomic<Int>(0)
    private(set) var gaps: CycleGaps
    private var last: Float = 0

    init(client: OpaquePointer, clean: OpaquePointer, lights: OpaquePointer) {
        (self.clean, self.lights) = (clean, lights)
        gaps = CycleGaps(client: client)
    }

    mutating func process(_ frames: jack_nframes_t) {
        gaps.begin(frames)
        heard.count(from: lights, frames)
        guard let clean = jack_rt_samples(clean, frames) else { return }
        watch(clean, Int(frames))
        self.frames.add(UInt64(frames), ordering: .relaxed)
    }

    private mutating func watch(_ samples: UnsafeMutablePointer<Float>, _ frames: Int) {
        var (step, peak): (Float, Float) = (0, 0)
        for frame in 0..<frames {
            // A sample that is not a number counts as a step.
            let difference = samples[frame].isFinite ? abs(samples[frame] - last) : .infinity
            step = max(step, difference)
            peak = max(peak, abs(samples[frame]))
            last = samples[frame].isFinite ? samples[frame] : 0
        }
        if raise(largestStep, to: step) {
            stepFrame.store(self.frames.load(ordering: .relaxed), ordering: .relaxed)
        }
        _ = raise(self.peak, to: peak)
    }

    /// Returns whether the value is higher than before.
    ///
    /// The bit patterns of non-negative floats have the same order as the numbers.
    private func raise(_ highest: borrowing Atomic<UInt32>, to value: Float) -> Bool {
        highest.max(value.bitPattern, ordering: .relaxed).oldValue < value.bitPattern
    }
}
