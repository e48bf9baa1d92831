/// What there is to choose from, in the order in which it is stepped through.
public struct Programme: Sendable, Equatable {
    /// The pipeline's or the setlist's name.
    public var name: String
    /// The scenes of the song that plays.
    public var scenes: [String]
    /// The songs of the setlist; none where a single pipeline plays.
    public var songs: [String]
    /// The channels of all audio inputs.
    public var inputs: [Input]

    /// A channel of an input.
    public struct Input: Sendable, Equatable {
        /// Its port's short name, as in `Notice.level`.
        public var port: String
        /// What the address `tuner` calls it, such as `mic` or `mic:2`.
        public var reference: String

        /// A channel of an input.
        public init(port: String, reference: String) {
            self.port = port
            self.reference = reference
        }
    }

    /// All parts, each as its property says.
    public init(
        name: String, scenes: [String] = [], songs: [String] = [], inputs: [Input] = []
    ) {
        self.name = name
        self.scenes = scenes
        self.songs = songs
        self.inputs = inputs
    }
}

/// What a node costs.
public struct NodeLoad: Sendable, Equatable {
    /// Its id.
    public var node: String
    /// The mean share of the period.
    public var mean: Double
    /// The highest share of the period since the last time.
    public var worst: Double

    /// All parts, each as its property says.
    public init(node: String, mean: Double, worst: Double) {
        self.node = node
        self.mean = mean
        self.worst = worst
    }
}
