/// The time of one block, and its costliest part.
struct BlockTime: Sendable, Equatable {
    /// The time of the whole block, in ns.
    var nanoseconds: Float
    /// The costliest node, by its index in `PlayedNight.nodes`; -1 for everything that rings out.
    var part: Int32
    /// The time of this part, in ns.
    var partNanoseconds: Float
}

/// The shortest times of the blocks of a step, over all passes.
///
/// A block computes the same in every pass, so a longer time is an interruption by another program.
public struct StepTimes: Sendable, Equatable {
    private(set) var blocks: [BlockTime] = []
    /// The longest time of any block in any pass, in ns, with its interruptions.
    private(set) var longest: Float = 0

    /// Notes the time of a block.
    mutating func note(_ time: BlockTime, block: Int) {
        longest = max(longest, time.nanoseconds)
        if block < blocks.count {
            if time.nanoseconds < blocks[block].nanoseconds { blocks[block] = time }
        } else {
            blocks.append(time)
        }
    }

    /// The block that takes longest; `nil` without blocks.
    var worst: BlockTime? { blocks.max { $0.nanoseconds < $1.nanoseconds } }
}
