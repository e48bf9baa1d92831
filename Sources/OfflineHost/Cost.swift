/// The cost of a node or a block over a benchmark, in ns per frame, for all channels together.
public struct Cost: Sendable, Equatable {
    /// The mean over all blocks.
    public let meanNanoseconds: Double
    /// The median over all blocks.
    public let medianNanoseconds: Double
    /// The 99.9th percentile of all blocks.
    public let p999Nanoseconds: Double
    /// The cost of the most expensive block.
    public let worstNanoseconds: Double

    /// Calculates the cost from the times of the blocks.
    ///
    /// - Parameters:
    ///   - blocks: The time of each block in ns; at least one.
    ///   - blockFrames: The frames per block.
    package init(ofBlocks blocks: [Double], blockFrames: Int) {
        let sorted = blocks.map { $0 / Double(blockFrames) }.sorted()
        meanNanoseconds = sorted.reduce(0, +) / Double(sorted.count)
        medianNanoseconds = sorted[Self.rank(0.5, of: sorted.count)]
        p999Nanoseconds = sorted[Self.rank(0.999, of: sorted.count)]
        worstNanoseconds = sorted[sorted.count - 1]
    }

    /// Returns the index of a quantile among `count` sorted values, by the nearest-rank method.
    private static func rank(_ share: Double, of count: Int) -> Int {
        max(0, Int((share * Double(count)).rounded(.up)) - 1)
    }
}
