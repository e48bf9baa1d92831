internal import Engine

/// The least time that each part took in each block, over all passes.
struct LeastTimes {
    private let parts: Int
    private var ticks: [UInt64]

    /// Room for the times of some parts in some blocks.
    init(blocks: Int, parts: Int) {
        self.parts = parts
        ticks = Array(repeating: .max, count: blocks * parts)
    }

    /// Takes in a time, in processor ticks.
    mutating func note(_ time: UInt64, block: Int, part: Int) {
        ticks[block * parts + part] = min(ticks[block * parts + part], time)
    }

    /// What each part cost, without the first blocks.
    func costs(blockFrames: Int, skippedBlocks: Int) -> [Cost] {
        let rate = TickRate.shared.ticksPerNanosecond
        return (0..<parts).map { part in
            let counted = stride(from: skippedBlocks * parts + part, to: ticks.count, by: parts)
            return Cost(
                ofBlocks: counted.map { Double(ticks[$0]) / rate }, blockFrames: blockFrames)
        }
    }
}
