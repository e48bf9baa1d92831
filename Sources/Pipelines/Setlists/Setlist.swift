/// A checked setlist: its songs' pipelines are read and valid.
public struct Setlist: Sendable, Equatable {
    /// The file's key `setlist`.
    public var name: String
    /// What the file says about itself; may be empty.
    public var summary: String
    /// In the order they are played.
    public var songs: [Song]
    /// What every binding of the setlist does that is neither a value nor a scene; these act whichever song is on.
    public var bindings: [Pipeline.Binding]

    /// One song of a setlist.
    public struct Song: Sendable, Equatable {
        /// The setlist's name for it, or its pipeline's.
        public var name: String
        /// The pipeline's file.
        public var path: String
        /// What the file holds.
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
