/// The spectrum of the output of a node.
public struct NodeSpectrum: Sendable, Equatable {
    /// The number of levels.
    public static let count = 96
    /// The frequency of the first level, in Hz.
    public static let lowestHertz = 20.0
    /// The frequency of the last level, in Hz; the others are at equal ratios.
    public static let highestHertz = 20_000.0

    /// The id of the node.
    public let node: String
    /// The levels in dB; a sine of full scale has 0 dB.
    public let levels: [Double]

    /// Creates a spectrum.
    public init(node: String, levels: [Double]) {
        self.node = node
        self.levels = levels
    }
}
