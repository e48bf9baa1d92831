/// The signals that feed the nodes and outputs of a setlist whose file does not name them.
struct OuterStandardFeeds {
    /// The beginning of a chain, by the index of its first node.
    var chains: [Int: ChainStart] = [:]
    /// The index of the input that feeds an output, by the name of the output.
    var outputs: [String: Int] = [:]

    /// The signal that feeds the first node of a chain.
    struct ChainStart {
        /// The index of the input; `nil` without an input.
        let input: Int?
        /// The error if there is no input.
        let reason: String
    }
}
