internal import CJack
internal import Synchronization

/// What the ear's process callback works on: what comes back is watched for steps.
struct EarSound: ~Copyable {
    let clean: OpaquePointer
    /// The bits of the largest difference of two neighbouring samples since it was last asked for.
    let largestStep = Atomic<UInt32>(0)
    /// The bits of the highest magnitude since it was last asked for.
    let peak = Atomic<UInt32>(0)
    let frames = Atomic<UInt64>(0)
    let xruns = Atomic<Int>(0)
    private var last: Float = 0

    init(clean: OpaquePointer) { self.clean = clean }

    mutating func process(_ frames: jack_nframes_t) {
        guard let clean = jack_rt_samples(clean, frames) else { return }
        watch(clean, Int(frames))
        self.frames.add(UInt64(frames), ordering: .relaxed)
    }

    private mutating func watch(_ samples: UnsafeMutablePointer<Float>, _ frames: Int) {
        var (step, peak): (Float, Float) = (0, 0)
        for frame in 0..<frames {
            // Also what is no number is a step.
            let difference = samples[frame].isFinite ? abs(samples[frame] - last) : .infinity
            step = max(step, difference)
            peak = max(peak, abs(samples[frame]))
            last = samples[frame].isFinite ? samples[frame] : 0
        }
        raise(largestStep, to: step)
        raise(self.peak, to: peak)
    }

    /// Bits of numbers from 0 on are in the numbers' order.
    private func raise(_ highest: borrowing Atomic<UInt32>, to value: Float) {
        highest.max(value.bitPattern, ordering: .relaxed)
    }
}
