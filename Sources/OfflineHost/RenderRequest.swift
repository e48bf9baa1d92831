/// What is to be rendered into which files.
public struct RenderRequest: Sendable {
    /// A file for an input or an output of the pipeline.
    public struct NamedFile: Sendable, Equatable {
        /// The input's or output's name.
        public var name: String
        /// Where the file is.
        public var path: String

        /// A file for the input or output of this name.
        public init(_ name: String, _ path: String) {
            self.name = name
            self.path = path
        }
    }

    /// What plays into which input; one without a file is silent.
    public var inputs: [NamedFile]
    /// Which output goes into which file.
    public var outputs: [NamedFile]
    /// Frames a second, a whole number; files of other rates are converted.
    public var sampleRate: Double
    /// Frames that the engine is given at a time, at least 1.
    public var blockFrames = 64
    /// How long it goes on after the longest input, in seconds.
    public var tailSeconds = 0.0
    /// How long it is, whatever the inputs are, in seconds.
    public var lengthSeconds: Double?
    /// Whether the outputs come as late as live, and changes act at their own time.
    ///
    /// Otherwise frame n of an output belongs to frame n of the inputs, and a change at a time meets the sound that
    /// came in at that time.
    public var keepsLatency = false
    /// Values that move, in the order that holds for those of one time.
    public var changes: [TimedChange] = []

    /// A request with the values that hold where nothing else is asked for.
    public init(inputs: [NamedFile], outputs: [NamedFile], sampleRate: Double) {
        self.inputs = inputs
        self.outputs = outputs
        self.sampleRate = sampleRate
    }
}
