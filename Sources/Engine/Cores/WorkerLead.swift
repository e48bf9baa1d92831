/// How long before a call a worker wakes up: so long that it is late in about one of 64 calls.
///
/// The time that a processor needs to wake up depends on the machine, and the server does not call
/// at regular times on all of them. All times are in ticks.
package struct WorkerLead: BitwiseCopyable {
    /// The longest time is this part of a period.
    private static var mostPart: UInt64 { @_noLocks get { 8 } }
    /// The longest time is also this part of a millisecond; few processors need longer.
    private static var mostPartOfMillisecond: UInt64 { @_noLocks get { 5 } }
    /// A worker sleeps at least for this part of a period, or does not wake up by itself.
    ///
    /// Linux stops the real-time threads of a processor that do not sleep for 5 % of a second.
    private static var leastPart: UInt64 { @_noLocks get { 8 } }

    /// The time, as a share of the longest one.
    private var share = 1.0

    /// Begins with the longest time.
    @_noLocks
    package init() {}

    /// Calculates the longest time before a call, and after it, for which a worker looks for it.
    ///
    /// - Parameters:
    ///   - period: The time from one call to the next.
    ///   - rate: The number of ticks per millisecond.
    /// - Returns: The time.
    @_noLocks
    package func most(_ period: UInt64, _ rate: UInt64) -> UInt64 {
        min(period / Self.mostPart, rate / Self.mostPartOfMillisecond)
    }

    /// Calculates how long a worker should sleep.
    ///
    /// - Parameters:
    ///   - call: The time of the next call.
    ///   - period: The time from one call to the next, less than 2⁴⁰.
    ///   - rate: The number of ticks per millisecond, at least 1.
    ///   - now: The present time.
    /// - Returns: The time, in ns; 0 if the worker should wait to be woken.
    @_noLocks
    package func nap(before call: UInt64, _ period: UInt64, _ rate: UInt64, now: UInt64) -> UInt64 {
        let lead = UInt64(share * Double(most(period, rate)))
        let least = max(1, period / Self.leastPart)
        guard call > now, call &- now >= least &+ lead, call &- now <= period else { return 0 }
        return max(1, (call &- now &- lead) &* 1_000_000 / rate)
    }

    /// Makes the time longer if a call began before the worker was awake, otherwise shorter.
    @_noLocks
    package mutating func adapt(isLate: Bool) {
        share = isLate ? min(1, share + 1.0 / 16) : max(0, share - 1.0 / 1024)
    }
}
