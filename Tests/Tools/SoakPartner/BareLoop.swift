internal import CJack
internal import CRealtime
internal import Synchronization

/// The state of the bare client's process callback, which only loops for a share of each period.
///
/// If it overruns, the machine was busy with other work.
struct BareLoop: ~Copyable {
    private let nanosecondsPerFrame: Double
    /// The bit pattern of the share of the period that the loop takes.
    let share = Atomic<UInt32>(0)
    let isFreewheeling = Atomic<Bool>(false)
    /// The number of cycles that took longer than their period.
    let overrunCycles = Atomic<Int>(0)

    init(sampleRate: Double) { nanosecondsPerFrame = 1e9 / sampleRate }

    borrowing func process(_ frames: jack_nframes_t) {
        guard !isFreewheeling.load(ordering: .relaxed) else { return }
        let start = rt_nanoseconds()
        let period = Double(frames) * nanosecondsPerFrame
        let share = Double(Float(bitPattern: share.load(ordering: .relaxed)))
        let end = start + UInt64(share * period)
        while rt_nanoseconds() < end {}
        if rt_nanoseconds() > start + UInt64(period) { overrunCycles.add(1, ordering: .relaxed) }
    }
}
