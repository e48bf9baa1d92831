internal import Engine

/// The minimum time of each part in each block, over all passes.
struct MinimumTimes {
    private let parts: Int
    private var ticks: [UInt64]

    /// Creates room for the times of a number of parts and blocks.
    init(blocks: Int, parts: Int) {
        self.parts = parts
        ticks = Array(repeating: .max, count: blocks * parts)
    }

    /// Records a time, in processor ticks.
    mutating func note(_ time: UInt64, block: Int, part: Int) {
        ticks[block * parts + part] = min(ticks[block * parts + part], time)
    }

    /// Returns the cost of each part, without the first `skippedBlocks` blocks.
    func costs(blockFrames: Int, skippedBlocks: Int) -> [Cost] {
        let rate = TickRate.shared.ticksPerNanosecond
        return (0..<parts).map { part in
            let counted = stride(from: skippedBlocks * parts + part, to: ticks.count, by: parts)
            return Cost(
                ofBlocks: counted.map { Double(ticks[$0]) / rate }, blockFrames: blockFrames)
        }
    }
}
