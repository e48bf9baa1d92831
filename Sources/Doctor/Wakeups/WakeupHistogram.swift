/// The delays of wake-ups, counted in steps of 1 µs.
package struct WakeupHistogram: Sendable, Equatable {
    /// Longer delays are counted in the last step.
    private static let stepCount = 20_000

    private var counts = [UInt32](repeating: 0, count: stepCount)
    /// The number of wake-ups.
    package private(set) var count = 0
    /// The shortest delay, in ns; 0 without a wake-up.
    private var shortest: UInt64 = 0
    /// The longest delay, in ns.
    private var longest: UInt64 = 0

    /// Creates a histogram without a wake-up.
    package init() {}

    /// Adds a wake-up; it allocates nothing.
    ///
    /// - Parameter delay: The time from the end of the sleep to the wake-up, in ns.
    package mutating func add(nanoseconds delay: UInt64) {
        let step = Int(min(delay / 1000, UInt64(Self.stepCount - 1)))
        counts[step] &+= 1
        shortest = count == 0 ? delay : min(shortest, delay)
        longest = max(longest, delay)
        count += 1
    }

    /// The shortest delay, in seconds.
    package var shortestSeconds: Double { Double(shortest) / 1e9 }

    /// The longest delay, in seconds, which is exact even if it is longer than the last step.
    package var longestSeconds: Double { Double(longest) / 1e9 }

    /// Returns the delay that a share of the wake-ups does not exceed, in seconds.
    ///
    /// - Parameter share: From 0 to 1; 0.5 gives the median.
    /// - Returns: The upper end of a step of 1 µs, at most the longest delay.
    package func seconds(share: Double) -> Double {
        let wanted = (Double(count) * min(max(share, 0), 1)).rounded(.up)
        var sum = 0.0
        for (step, steps) in counts.enumerated() {
            sum += Double(steps)
            if sum >= wanted, sum > 0 {
                let isLast = step == Self.stepCount - 1
                return isLast ? longestSeconds : min(Double(step + 1) / 1e6, longestSeconds)
            }
        }
        return longestSeconds
    }

    /// Returns the counts in steps that each end at twice the delay of the step before, up to the
    /// longest delay: the end in µs, and the number of wake-ups.
    package var octaves: [(microseconds: Int, count: Int)] {
        var octaves: [(microseconds: Int, count: Int)] = []
        var (start, end) = (0, 1)
        while start < Self.stepCount {
            let steps = counts[start..<min(end, Self.stepCount)]
            octaves.append((end, steps.reduce(0) { $0 + Int($1) }))
            (start, end) = (end, 2 * end)
        }
        let last = octaves.lastIndex { $0.count > 0 } ?? -1
        return Array(octaves.prefix(last + 1))
    }
}
