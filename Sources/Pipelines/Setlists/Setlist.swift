/// A checked setlist: its songs' pipelines are read and valid.
public struct Setlist: Sendable, Equatable {
    public var name: String
    /// What the file says about itself; may be empty.
    public var summary: String
    public var songs: [Song]
    /// What every binding of the setlist does that is neither a value nor a scene; these act whichever song is on.
    public var bindings: [Pipeline.Binding]

    /// One song of a setlist.
    public struct Song: Sendable, Equatable {
        public var name: String
        /// The pipeline's file.
        public var path: String
        public var pipeline: Pipeline
        /// The scene that is on as it begins, by its place in the pipeline's; over the pipeline's own.
        public var scene: Int?
        /// The setlist's bindings that move a value or put on a scene of this song.
        public var bindings: [Pipeline.Binding]
    }
}

/// What a file may be.
public enum PipelineFile: Sendable, Equatable {
    case pipeline(Pipeline)
    case setlist(Setlist)
}
