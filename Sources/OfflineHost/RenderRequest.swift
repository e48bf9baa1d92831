/// A request to render a pipeline from files to files.
public struct RenderRequest: Sendable {
    /// A file for an input or an output of the pipeline.
    public struct NamedFile: Sendable, Equatable {
        /// The name of the input or output.
        public var name: String
        /// The path of the file.
        public var path: String

        /// Creates an entry for the input or output with this name.
        public init(_ name: String, _ path: String) {
            self.name = name
            self.path = path
        }
    }

    /// The files for the inputs; an input without a file is silent.
    public var inputs: [NamedFile]
    /// The files for the outputs.
    public var outputs: [NamedFile]
    /// In Hz, a whole number; files with other sample rates are converted.
    public var sampleRate: Double
    /// The number of frames per block, at least 1.
    public var blockFrames = 64
    /// The number of cores that run the nodes, at least 1; the output does not depend on it.
    public var coreCount = 1
    /// The time to continue after the end of the longest input, in seconds.
    public var tailSeconds = 0.0
    /// The total length in seconds, regardless of the inputs; `nil` to derive it from the inputs.
    public var lengthSeconds: Double?
    /// Whether the outputs have the same latency as in live use, and changes act at their own time.
    ///
    /// Otherwise frame n of an output corresponds to frame n of the inputs, and a change at a time
    /// meets the signal that entered at that time.
    public var keepsLatency = false
    /// Values that change during the render; those with the same time keep this order.
    public var changes: [TimedChange] = []
    /// Settings that scenes change during the render.
    public var settings: [TimedSettings] = []
    /// The scenes whose changes and settings are in `changes` and `settings`; other scenes may
    /// follow them.
    public var scenes: [TimedScene] = []

    /// Creates a request with the default values.
    public init(inputs: [NamedFile], outputs: [NamedFile], sampleRate: Double) {
        self.inputs = inputs
        self.outputs = outputs
        self.sampleRate = sampleRate
    }
}
