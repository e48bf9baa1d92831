/// A checked setlist whose pipelines have been read and are valid.
public struct Setlist: Sendable, Equatable {
    /// The name: the value of the key `setlist`.
    public var name: String
    /// The description in the file; can be empty.
    public var summary: String
    /// The songs in playing order.
    public var songs: [Song]
    /// The bindings without a value or a scene as their target; they apply in every song.
    public var bindings: [Pipeline.Binding]
    /// Whether a song that begins again has the scene and the live values that it was left with.
    public var keepsValues: Bool
    /// The programs that exchange audio with other machines; those of the songs are not included.
    public var bridges: [Bridge] = []
    /// The session that this one follows; `nil` without one.
    public var followed: FollowedSession?

    /// A song of a setlist.
    public struct Song: Sendable, Equatable {
        /// The name in the setlist; by default the name of the pipeline.
        public var name: String
        /// The path of the pipeline file.
        public var path: String
        /// The pipeline of the song.
        public var pipeline: Pipeline
        /// The index of the scene at the start of the song; it overrides the pipeline's own scene.
        public var scene: Int?
        /// The setlist's bindings whose target is a value or a scene of this song.
        public var bindings: [Pipeline.Binding]
        /// The messages that the setlist sends when the song starts.
        public var messages: [Pipeline.Message] = []
        /// The gain of all audio outputs of the song, in dB, from -60 through 24.
        public var gainDecibels = 0.0
        /// The tempo in beats per minute; it overrides the tempo of the pipeline.
        public var tempo: Double?
        /// Free text for displays; can be empty.
        public var notes = ""
        /// The color for displays, such as `#ff8800`; `nil` without one.
        public var color: String?
        /// The tolerated errors of the song; empty after a strict check.
        ///
        /// If one of them is `skipped`, the song cannot play, and its pipeline is empty.
        public var problems: [Problem] = []

        /// Whether the song can play.
        public var isPlayable: Bool { !problems.contains { $0.consequence == .skipped } }
    }
}

extension Pipeline {
    /// A pipeline without signals, for a song that cannot play.
    static func empty(named name: String) -> Pipeline {
        Pipeline(
            name: name, summary: "", inputs: [], outputs: [], nodes: [], scenes: [],
            initialScene: nil, bindings: [], tempo: 120, tailSeconds: 4)
    }
}

/// The content of a file: a pipeline or a setlist.
public enum PipelineFile: Sendable, Equatable {
    case pipeline(Pipeline)
    case setlist(Setlist)
}
