/// The time of one block, and its costliest part.
package struct BlockTime: Sendable, Equatable {
    /// The time of the whole block, in ns.
    package var nanoseconds: Float
    /// The costliest node, by its index in `PlayedNight.parts`; -1 for everything that rings out.
    package var part: Int32
    /// The time of this part, in ns.
    package var partNanoseconds: Float

    package init(nanoseconds: Float, part: Int32, partNanoseconds: Float) {
        (self.nanoseconds, self.part) = (nanoseconds, part)
        self.partNanoseconds = partNanoseconds
    }
}

/// The times of the blocks of a step, from all passes.
///
/// Without pauses, a block computes the same in every pass, so the shortest of its times counts: a
/// longer one is an interruption by another program. In real time, the pass whose costliest block
/// is the middle one counts, with the cold caches and the short interruptions that a show has too.
public struct StepTimes: Sendable, Equatable {
    /// The shortest time of each block, over the passes without pauses.
    private var shortest: [BlockTime] = []
    /// The times in each pass in real time.
    private var rehearsals: [[BlockTime]] = []
    /// The longest time of any block in any pass, with its interruptions.
    package private(set) var longestNanoseconds: Float = 0

    package init() {}

    /// Begins a pass in real time.
    package mutating func beginRehearsal() { rehearsals.append([]) }

    /// Notes the time of a block of the present pass.
    package mutating func note(_ time: BlockTime, block: Int, isInRealTime: Bool) {
        longestNanoseconds = max(longestNanoseconds, time.nanoseconds)
        if isInRealTime {
            rehearsals[rehearsals.count - 1].append(time)
        } else if block < shortest.count {
            if time.nanoseconds < shortest[block].nanoseconds { shortest[block] = time }
        } else {
            shortest.append(time)
        }
    }

    /// Whether the times were measured in real time.
    public var isInRealTime: Bool { !rehearsals.isEmpty }

    /// The times that count.
    package var blocks: [BlockTime] {
        guard isInRealTime else { return shortest }
        return rehearsals.sorted { $0.worst < $1.worst }[(rehearsals.count - 1) / 2]
    }

    /// The block that takes longest; `nil` without blocks.
    package var worst: BlockTime? { blocks.max { $0.nanoseconds < $1.nanoseconds } }
}

extension [BlockTime] {
    /// The longest time of a block, in ns; 0 without blocks.
    fileprivate var worst: Float { reduce(0) { Swift.max($0, $1.nanoseconds) } }
}
