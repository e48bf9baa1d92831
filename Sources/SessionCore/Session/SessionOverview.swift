internal import Pipelines

/// The songs, scenes and inputs to choose from, in the order in which they are stepped through.
public struct SessionOverview: Sendable, Equatable {
    /// The name of the pipeline or the setlist.
    public var name: String
    /// The scenes of the current song.
    public var scenes: [String]
    /// The songs of the setlist; empty for a single pipeline.
    public var songs: [String]
    /// The channels of all audio inputs of the current song.
    public var inputs: [Input]
    /// The names of the computer keys to which the current song has bindings, in the order of the
    /// file.
    public var keys: [String]

    /// A channel of an input.
    public struct Input: Sendable, Equatable {
        /// The short name of its port, as in `SessionEvent.level`.
        public var port: String
        /// The name that the address `tuner` accepts, such as `mic` or `mic:2`.
        public var reference: String

        /// Creates a channel of an input.
        public init(port: String, reference: String) {
            self.port = port
            self.reference = reference
        }
    }

    /// Creates an overview from its parts.
    public init(
        name: String, scenes: [String] = [], songs: [String] = [], inputs: [Input] = [],
        keys: [String] = []
    ) {
        self.name = name
        self.scenes = scenes
        self.songs = songs
        self.inputs = inputs
        self.keys = keys
    }

    /// Creates the overview of songs.
    ///
    /// - Parameters:
    ///   - collection: The songs.
    ///   - index: The index of the current song.
    public init(of collection: SongCollection, song index: Int = 0) {
        let pipeline = collection.songs[index].pipeline
        let inputs = pipeline.inputs.filter { $0.kind == .audio }.flatMap { input in
            (1...max(1, input.channels)).map { channel in
                input.channels == 1
                    ? Input(port: input.name, reference: input.name)
                    : Input(
                        port: "\(input.name)_\(channel)", reference: "\(input.name):\(channel)")
            }
        }
        self.init(
            name: collection.name, scenes: pipeline.scenes.map(\.name),
            songs: collection.isSetlist ? collection.songs.map(\.name) : [], inputs: inputs,
            keys: pipeline.boundKeys.map(\.name))
    }
}
