/// The time limit of a wait in steps, on a machine that may stand still for seconds.
///
/// If a step takes much longer than planned, the waiting thread did not get the processor in time.
/// The threads and programs that it waits for probably did not get it either, so the step counts
/// as at most twice its planned time. The time that does not count has a limit too, so that every
/// wait ends.
package struct StallTolerantTimeout {
    /// The longest time that does not count, in ns.
    private static let toleranceNanoseconds: UInt64 = 30_000_000_000

    private let limitNanoseconds: UInt64
    private let longestStepNanoseconds: UInt64
    private var stepStart: UInt64
    private var countedNanoseconds: UInt64 = 0
    private var uncountedNanoseconds: UInt64 = 0

    /// Begins a wait with its first step.
    ///
    /// - Parameters:
    ///   - seconds: The time limit, in seconds; not negative.
    ///   - stepSeconds: The planned time of a step, in seconds; positive.
    ///   - now: The current time, in ns of the monotonic clock.
    package init(seconds: Double, stepSeconds: Double, atNanoseconds now: UInt64) {
        limitNanoseconds = UInt64(seconds * 1e9)
        longestStepNanoseconds = 2 * UInt64(stepSeconds * 1e9)
        stepStart = now
    }

    /// Whether the wait has reached its time limit.
    package var isOver: Bool {
        countedNanoseconds >= limitNanoseconds
            || uncountedNanoseconds >= Self.toleranceNanoseconds
    }

    /// Ends a step and begins the next one.
    ///
    /// - Parameter now: The current time, in ns of the monotonic clock.
    package mutating func endStep(atNanoseconds now: UInt64) {
        let step = now - min(stepStart, now)
        let counted = min(step, longestStepNanoseconds)
        countedNanoseconds += counted
        uncountedNanoseconds += step - counted
        stepStart = now
    }
}
