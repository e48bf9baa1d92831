internal import CJack
internal import Synchronization

/// Counts the cycles in which a client was left out: those that do not begin where the one before
/// ended.
struct CycleGaps: ~Copyable {
    let count = Atomic<Int>(0)
    private let client: OpaquePointer
    /// The server's time at the end of the last cycle, in frames; `nil` before the first one.
    private var endTime: UInt32?

    init(client: OpaquePointer) { self.client = client }

    mutating func begin(_ frames: jack_nframes_t) {
        let time = jack_rt_cycle_time(client)
        if let endTime, endTime != time { count.add(1, ordering: .relaxed) }
        endTime = time &+ frames
    }
}
