/// What something cost over the blocks of a benchmark, in ns a frame, all channels together.
public struct Cost: Sendable, Equatable {
    /// Over all blocks.
    public let meanNanoseconds: Double
    /// Of the block in the middle.
    public let medianNanoseconds: Double
    /// What 99.9 % of the blocks stayed within.
    public let p999Nanoseconds: Double
    /// Of the most expensive block.
    public let worstNanoseconds: Double

    /// The cost of blocks.
    ///
    /// - Parameters:
    ///   - blocks: What each took in ns, at least one of them.
    ///   - blockFrames: Frames of each.
    package init(ofBlocks blocks: [Double], blockFrames: Int) {
        let sorted = blocks.map { $0 / Double(blockFrames) }.sorted()
        meanNanoseconds = sorted.reduce(0, +) / Double(sorted.count)
        medianNanoseconds = sorted[Self.rank(0.5, of: sorted.count)]
        p999Nanoseconds = sorted[Self.rank(0.999, of: sorted.count)]
        worstNanoseconds = sorted[sorted.count - 1]
    }

    /// The place of a share's end among so many sorted values: the nearest rank.
    private static func rank(_ share: Double, of count: Int) -> Int {
        max(0, Int((share * Double(count)).rounded(.up)) - 1)
    }
}
